CREATE OR REPLACE FUNCTION archive_flag(flag text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO archived_flags SELECT * FROM flags WHERE name = flag
    ON CONFLICT (name) DO UPDATE SET enabled = EXCLUDED.enabled, rollout = EXCLUDED.rollout;
    DELETE FROM flags WHERE name = flag;
    RETURN FOUND;
END $$;
