-- Moves the waiting time after an attempt into a function, and turns the case around. Harmless: the times are the same, and
-- a constraint keeps attempts from exceeding max_attempts.

CREATE FUNCTION waiting_time(attempts integer) RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$
    SELECT make_interval(secs => 10.0 * attempts)
$$;

CREATE OR REPLACE FUNCTION fail(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs
       SET state = CASE attempts WHEN max_attempts THEN 'dead'::job_state ELSE 'queued' END,
           run_at = at + waiting_time(attempts),
           worker = NULL, lease_until = NULL
     WHERE id = job AND state = 'running' AND worker = by_worker AND at < lease_until;
    RETURN FOUND;
END
$$;
