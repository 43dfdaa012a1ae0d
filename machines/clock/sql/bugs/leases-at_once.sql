-- Planted in leases.sql: a job that failed is tried again at once.
--
-- shortest: 4
--   jobs_1 = enqueue()
--   claim()
--   give_up(job=jobs_1)
--   claim()
-- Seen in the fourth step: NULL is expected, but the job is returned.

CREATE OR REPLACE FUNCTION give_up(job bigint) RETURNS boolean
LANGUAGE sql
AS $$
    UPDATE jobs SET leased_until = NULL, run_at = now() WHERE id = job AND NOT done AND leased_until > now()
    RETURNING true
$$;
