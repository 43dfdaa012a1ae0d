-- Planted in job_queue.sql: claim starts a new lease only if there is none. A job whose lease has expired
-- keeps the old lease when it is claimed again. It is still expired, and the next worker gets it, too.
--
-- shortest: 5
--   jobs_1 = enqueue(payload="", max_attempts=3, delay=0)
--   claim(worker="w1")
--   tick(seconds=30)
--   claim(worker="w1")
--   claim(worker="w1")
-- Seen in the fifth step: NULL is expected, but the job is returned.

CREATE OR REPLACE FUNCTION claim(for_worker text, at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    SELECT bury(at);
    UPDATE jobs
       SET state = 'running', attempts = attempts + 1, worker = for_worker,
           lease_until = coalesce(lease_until, at + lease())
     WHERE id = (SELECT id FROM jobs
                  WHERE state = 'queued' AND run_at <= at
                     OR state = 'running' AND lease_until <= at
                  ORDER BY run_at, id
                  LIMIT 1
                  FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;
