-- next_job lost its ORDER BY: it takes the job that was added first, not the one with the lowest number.
-- shortest: 4 requests
--   INSERT INTO workers VALUES ('ann', false)
--   SELECT add_job(2)
--   SELECT add_job(1)
--   SELECT next_job('ann')

CREATE OR REPLACE FUNCTION next_job(for_worker text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    job integer;
BEGIN
    PERFORM FROM queue FOR UPDATE;
    SELECT id INTO job FROM jobs WHERE worker IS NULL LIMIT 1;
    IF FOUND THEN
        UPDATE jobs SET worker = for_worker WHERE id = job;
    ELSE
        UPDATE workers SET asleep = true WHERE name = for_worker;
    END IF;
    RETURN job;
END
$$;
