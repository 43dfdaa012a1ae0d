-- claim was replaced without STRICT: a worker NULL is given a job, which others then claim again.
-- shortest: 2 requests
--   INSERT INTO jobs VALUES (1, NULL)
--   SELECT claim(NULL)

CREATE OR REPLACE FUNCTION claim(for_worker text) RETURNS integer
LANGUAGE sql
AS $$
    WITH next AS (
        SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    UPDATE jobs SET worker = for_worker FROM next WHERE jobs.id = next.id
    RETURNING jobs.id
$$;
