-- Planted in queue.sql: a worker can hold a job for longer although its lease has ended.
--
-- shortest: 4
--   jobs_1 = enqueue(delay="00:00:00")
--   claim()
--   wait(by="00:01:00")
--   heartbeat(job=jobs_1)
-- Seen in the fourth step: false is expected, but true is returned.

CREATE OR REPLACE FUNCTION heartbeat(j int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET locked_until = now() + interval '60 s' WHERE id = j AND state = 'running';
    RETURN FOUND;
END $$;
