-- Planted in queue.sql: a job waits as long after its second failure as after the first.
--
-- shortest: 7
--   jobs_1 = enqueue(delay="00:00:00")
--   claim()
--   wait(by="00:01:00")
--   claim()
--   fail(job=jobs_1)
--   wait(by="00:00:20")
--   claim()
-- Seen in the seventh step: NULL is expected, but the job is returned. A first failure in place of the first wait needs
-- a wait as well, of 20 seconds: that is a step more.

CREATE OR REPLACE FUNCTION fail(j int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s text;
BEGIN
    UPDATE jobs SET state = CASE WHEN attempts >= 3 THEN 'dead' ELSE 'ready' END, locked_until = NULL,
        run_at = now() + interval '10 s' * 2
        WHERE id = j AND state = 'running' AND locked_until > now() RETURNING state INTO s;
    RETURN s;
END $$;
