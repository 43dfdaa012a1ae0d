-- Planted in leases.sql: a lease that ends now is not over yet for claim, though it is for the worker that has it.
--
-- shortest: 4
--   jobs_1 = enqueue()
--   claim()
--   wait(by="00:00:30")
--   claim()
-- Seen in the fourth step: the job is expected, but NULL is returned.

CREATE OR REPLACE FUNCTION claim() RETURNS bigint
LANGUAGE sql
AS $$
    UPDATE jobs
       SET attempts = attempts + 1, leased_until = now() + interval '30 seconds'
     WHERE id = (SELECT id FROM jobs
                  WHERE NOT done AND run_at <= now() AND (leased_until IS NULL OR leased_until < now())
                  ORDER BY run_at, id
                  LIMIT 1
                  FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;
