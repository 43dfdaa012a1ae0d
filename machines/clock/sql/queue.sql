-- Jobs of a queue: a worker leases one for a minute and can hold it for longer, a job that failed waits twice as long
-- each time, the third attempt is the last, and what was done is removed after an hour. The time is that of now().

CREATE TABLE jobs (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_at timestamptz NOT NULL DEFAULT now(),
    locked_until timestamptz,
    attempts int NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'running', 'done', 'dead')),
    finished_at timestamptz
);
CREATE VIEW available AS
    SELECT * FROM jobs WHERE (state = 'ready' AND run_at <= now()) OR (state = 'running' AND locked_until <= now());
CREATE FUNCTION enqueue(delay interval) RETURNS int LANGUAGE sql AS
    'INSERT INTO jobs (run_at) VALUES (now() + delay) RETURNING id';
CREATE FUNCTION claim() RETURNS int LANGUAGE plpgsql AS $$
DECLARE j int;
BEGIN
    UPDATE jobs SET state = 'dead' WHERE state = 'running' AND locked_until <= now() AND attempts >= 3;
    SELECT id INTO j FROM available ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED;
    UPDATE jobs SET state = 'running', attempts = attempts + 1, locked_until = now() + interval '60 s' WHERE id = j;
    RETURN j;
END $$;
CREATE FUNCTION heartbeat(j int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET locked_until = now() + interval '60 s' WHERE id = j AND state = 'running' AND locked_until > now();
    RETURN FOUND;
END $$;
CREATE FUNCTION complete(j int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET state = 'done', locked_until = NULL, finished_at = now()
        WHERE id = j AND state = 'running' AND locked_until > now();
    RETURN FOUND;
END $$;
CREATE FUNCTION fail(j int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s text;
BEGIN
    UPDATE jobs SET state = CASE WHEN attempts >= 3 THEN 'dead' ELSE 'ready' END, locked_until = NULL,
        run_at = now() + interval '10 s' * 2 ^ attempts
        WHERE id = j AND state = 'running' AND locked_until > now() RETURNING state INTO s;
    RETURN s;
END $$;
CREATE FUNCTION prune() RETURNS int LANGUAGE sql AS
    $$WITH gone AS (DELETE FROM jobs WHERE state = 'done' AND finished_at <= now() - interval '1 hour' RETURNING 1)
      SELECT count(*)::int FROM gone$$;
