CREATE OR REPLACE FUNCTION finish(p_url integer, p_worker text, p_attempt integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE url SET status = 'done', leased_by = NULL, lease_until = NULL
    WHERE id = p_url AND status = 'leased' AND leased_by = p_worker AND attempt = p_attempt
      AND lease_until > clock_s();
    RETURN FOUND;
END $$;
