-- What counts is when the token expires.
CREATE OR REPLACE FUNCTION purge() RETURNS bigint LANGUAGE sql AS $$
    WITH gone AS (
        DELETE FROM resets
        WHERE used_at + 3600 <= app_now() OR used_at IS NULL AND expires_at <= app_now()
        RETURNING 1)
    SELECT count(*) FROM gone
$$;
