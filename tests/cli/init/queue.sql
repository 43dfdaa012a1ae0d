-- A job queue: queues, jobs with states and dependencies, attempts, schedules, dead letters.
CREATE TYPE job_state AS ENUM ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
CREATE TABLE queue (
    name text PRIMARY KEY CHECK (name ~ '^[a-z_]{1,20}$'),
    retry_limit int NOT NULL DEFAULT 2 CHECK (retry_limit >= 0),
    dead_letter text REFERENCES queue ON DELETE SET NULL,
    policy text NOT NULL DEFAULT 'standard' CHECK (policy IN ('standard', 'singleton', 'stately')),
    CHECK (dead_letter <> name)
);
CREATE TABLE worker (id uuid PRIMARY KEY, name text NOT NULL, seen_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE job (
    id bigserial PRIMARY KEY,
    queue text NOT NULL REFERENCES queue ON DELETE CASCADE,
    priority smallint NOT NULL DEFAULT 0,
    data jsonb NOT NULL CONSTRAINT job_data CHECK (jsonb_typeof(data) = 'object' AND data ? 'task'),
    state job_state NOT NULL DEFAULT 'created',
    retry_count int NOT NULL DEFAULT 0,
    singleton_key text,
    worker uuid REFERENCES worker ON DELETE SET NULL,
    started_at timestamptz,
    completed_at timestamptz,
    CONSTRAINT job_times CHECK (completed_at IS NULL OR started_at IS NOT NULL),
    CHECK (retry_count >= 0)
);
CREATE UNIQUE INDEX job_singleton ON job (queue, singleton_key) WHERE state < 'completed';
CREATE TABLE job_dependency (
    job bigint REFERENCES job ON DELETE CASCADE,
    needs bigint REFERENCES job ON DELETE CASCADE,
    PRIMARY KEY (job, needs),
    CHECK (job <> needs)
);
CREATE TABLE attempt (
    job bigint NOT NULL REFERENCES job ON DELETE CASCADE,
    number int NOT NULL CHECK (number > 0),
    error text,
    took interval CHECK (took >= '0'),
    UNIQUE (job, number)
);
CREATE TABLE schedule (
    name text PRIMARY KEY,
    queue text NOT NULL REFERENCES queue,
    cron text NOT NULL,
    timezone text NOT NULL DEFAULT 'UTC',
    data jsonb
);
CREATE TABLE archive (LIKE job INCLUDING DEFAULTS INCLUDING CONSTRAINTS, archived_at timestamptz NOT NULL DEFAULT now());
CREATE FUNCTION fetch_job(from_queue text, by_worker uuid) RETURNS SETOF bigint LANGUAGE sql AS $$
    UPDATE job SET state = 'active', worker = by_worker, started_at = now()
    WHERE id = (SELECT id FROM job WHERE queue = from_queue AND state < 'active' ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;
CREATE FUNCTION complete(job_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE job SET state = 'completed', completed_at = now() WHERE id = job_id AND state = 'active';
    RETURN FOUND;
END $$;
CREATE FUNCTION archive_completed() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    n int;
BEGIN
    WITH gone AS (DELETE FROM job WHERE state = 'completed' RETURNING *)
    INSERT INTO archive SELECT * FROM gone;
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
