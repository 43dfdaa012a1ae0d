-- A queue of jobs for several workers. A worker claims a job for a while, says with heartbeats that it is
-- still at it, and completes or fails it; whose lease has run out is taken for dead, and the job is
-- somebody else's. Every function is told the time: a queue that asked the clock itself could only be
-- tested by waiting.

CREATE TYPE job_state AS ENUM ('queued', 'running', 'done', 'dead');

CREATE TABLE jobs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payload      text NOT NULL,
    state        job_state NOT NULL DEFAULT 'queued',
    attempts     integer NOT NULL DEFAULT 0,      -- those begun
    max_attempts integer NOT NULL CONSTRAINT tried_once CHECK (max_attempts > 0),
    run_at       timestamptz NOT NULL,            -- not before
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

-- To be run from then on.
CREATE FUNCTION enqueue(payload text, max_attempts integer, run_at timestamptz) RETURNS bigint
LANGUAGE sql
AS $$
    INSERT INTO jobs (payload, max_attempts, run_at) VALUES (payload, max_attempts, run_at) RETURNING id
$$;

-- A worker that died in the last attempt that a job has takes the job with it.
CREATE FUNCTION bury(at timestamptz) RETURNS void
LANGUAGE sql
AS $$
    UPDATE jobs SET state = 'dead', worker = NULL, lease_until = NULL
     WHERE state = 'running' AND lease_until <= at AND attempts = max_attempts
$$;

-- The id of the job that the worker is to do now, or NULL: of those that wait, and those whose worker
-- has not been heard of, the one that has waited longest. Two workers who ask at the same time do not
-- wait for each other.
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

-- The three answer whether the job is still this worker's. If not, it is to let go of it.
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

-- After an attempt that failed the job waits ten seconds, after a second one twenty, and so on.
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
