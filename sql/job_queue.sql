-- A queue of jobs for several workers. A worker claims a job, which gives it a lease, extends the lease with
-- heartbeats, and completes or fails the job. If the lease expires, the worker is presumed dead, and another
-- worker can claim the job. The functions take the time as an argument. A queue that reads the clock could
-- only be tested by waiting.

CREATE TYPE job_state AS ENUM ('queued', 'running', 'done', 'dead');

CREATE TABLE jobs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payload      text NOT NULL,
    state        job_state NOT NULL DEFAULT 'queued',
    attempts     integer NOT NULL DEFAULT 0,      -- counted when they begin
    max_attempts integer NOT NULL CONSTRAINT tried_once CHECK (max_attempts > 0),
    run_at       timestamptz NOT NULL,            -- the earliest time of the next attempt
    worker       text,
    lease_until  timestamptz,
    CONSTRAINT attempts_in_bounds CHECK (attempts BETWEEN 0 AND max_attempts),
    CONSTRAINT running_has_worker CHECK ((state = 'running') = (worker IS NOT NULL)),
    CONSTRAINT running_has_lease CHECK ((state = 'running') = (lease_until IS NOT NULL))
);

CREATE INDEX ON jobs (run_at, id) WHERE state IN ('queued', 'running');

CREATE FUNCTION lease() RETURNS interval
LANGUAGE sql IMMUTABLE
AS $$
    SELECT interval '30 seconds'
$$;

-- The job can be claimed from `run_at` on.
CREATE FUNCTION enqueue(payload text, max_attempts integer, run_at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO jobs (payload, max_attempts, run_at) VALUES (payload, max_attempts, run_at) RETURNING id
$$;

-- If the worker dies in the last attempt, the job is dead, too.
CREATE FUNCTION bury(at timestamptz) RETURNS void
LANGUAGE sql
AS $$
    UPDATE jobs SET state = 'dead', worker = NULL, lease_until = NULL
     WHERE state = 'running' AND lease_until <= at AND attempts = max_attempts
$$;

-- Returns the id of the job that the worker should do now, or NULL. Of the jobs that are due, and those
-- whose lease has expired, it is the one with the earliest run_at. With SKIP LOCKED, two workers that ask at
-- the same time get different jobs, and neither waits for the other's.
CREATE FUNCTION claim(for_worker text, at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    SELECT bury(at);
    UPDATE jobs
       SET state = 'running', attempts = attempts + 1, worker = for_worker, lease_until = at + lease()
     WHERE id = (SELECT id FROM jobs
                  WHERE state = 'queued' AND run_at <= at
                     OR state = 'running' AND lease_until <= at
                  ORDER BY run_at, id
                  LIMIT 1
                  FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;

-- heartbeat, complete and fail return whether the worker still held the job. If not, it must stop working on it.
CREATE FUNCTION heartbeat(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs SET lease_until = at + lease()
     WHERE id = job AND state = 'running' AND worker = by_worker AND lease_until > at;
    RETURN FOUND;
END
$$;

CREATE FUNCTION complete(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs SET state = 'done', worker = NULL, lease_until = NULL
     WHERE id = job AND state = 'running' AND worker = by_worker AND lease_until > at;
    RETURN FOUND;
END
$$;

-- The job waits ten seconds after its first attempt, twenty after its second, and so on.
CREATE FUNCTION fail(job bigint, by_worker text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs
       SET state = CASE WHEN attempts < max_attempts THEN 'queued' ELSE 'dead' END::job_state,
           run_at = at + attempts * interval '10 seconds',
           worker = NULL, lease_until = NULL
     WHERE id = job AND state = 'running' AND worker = by_worker AND lease_until > at;
    RETURN FOUND;
END
$$;
