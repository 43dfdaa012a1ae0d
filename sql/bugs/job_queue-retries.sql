-- Planted in job_queue.sql: claim counts an attempt only if the job was queued. A job that is taken over from
-- a dead worker was still running, so a job that kills its workers is tried forever.
--
-- shortest: 4
--   jobs_1 = enqueue(payload="", max_attempts=2, delay=0)
--   claim(worker="w1")
--   tick(seconds=30)
--   claim(worker="w1")
-- Seen by the invariant `jobs`: two attempts are expected, but one is counted.

CREATE OR REPLACE FUNCTION claim(for_worker text, at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    SELECT bury(at);
    UPDATE jobs
       SET state = 'running', attempts = attempts + (state = 'queued')::integer,
           worker = for_worker, lease_until = at + lease()
     WHERE id = (SELECT id FROM jobs
                  WHERE state = 'queued' AND run_at <= at
                     OR state = 'running' AND lease_until <= at
                  ORDER BY run_at, id
                  LIMIT 1
                  FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;
