-- Jobs with an audit trail: partitions by range and by list, exclusion, arrays, triggers that write the trail.
CREATE SCHEMA audit;
CREATE TYPE job_status AS ENUM ('queued', 'running', 'succeeded', 'failed', 'dead');
CREATE TABLE actors (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('human', 'service')),
    login text NOT NULL UNIQUE,
    disabled boolean NOT NULL DEFAULT false
);
CREATE TABLE queues (
    name text PRIMARY KEY CHECK (name ~ '^[a-z][a-z_]*$'),
    max_attempts smallint NOT NULL DEFAULT 3 CHECK (max_attempts BETWEEN 1 AND 20),
    paused boolean NOT NULL DEFAULT false,
    owner int REFERENCES actors ON DELETE SET NULL
);
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY,
    queue text NOT NULL REFERENCES queues ON UPDATE CASCADE ON DELETE RESTRICT,
    status job_status NOT NULL DEFAULT 'queued',
    run_at timestamptz NOT NULL DEFAULT now(),
    attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    payload jsonb NOT NULL CHECK (payload ? 'type' AND jsonb_typeof(payload -> 'type') = 'string'),
    tags text[] NOT NULL DEFAULT '{}' CHECK (array_length(tags, 1) <= 3),
    unique_key text,
    locked_by int REFERENCES actors,
    locked_at timestamptz,
    PRIMARY KEY (id),
    CONSTRAINT locked_together CHECK ((locked_by IS NULL) = (locked_at IS NULL)),
    CONSTRAINT running_is_locked CHECK (status <> 'running' OR locked_by IS NOT NULL)
);
CREATE UNIQUE INDEX jobs_unique_key ON jobs (queue, unique_key) WHERE status IN ('queued', 'running') AND unique_key IS NOT NULL;
CREATE TABLE job_errors (
    job_id bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
    attempt smallint NOT NULL,
    message text NOT NULL DEFAULT 'unknown',
    backtrace text[],
    PRIMARY KEY (job_id, attempt)
);
CREATE TABLE cron_entries (
    id serial PRIMARY KEY,
    queue text NOT NULL REFERENCES queues ON UPDATE CASCADE ON DELETE CASCADE,
    name text NOT NULL,
    every interval NOT NULL CHECK (every >= interval '1 minute'),
    slot int NOT NULL,
    valid tstzrange NOT NULL DEFAULT tstzrange(NULL, NULL),
    CONSTRAINT one_in_a_slot EXCLUDE USING gist (int4range(slot, slot, '[]') WITH =, valid WITH &&),
    UNIQUE (queue, name)
);
CREATE TABLE limits (
    queue text REFERENCES queues ON UPDATE CASCADE ON DELETE CASCADE,
    actor int REFERENCES actors ON DELETE CASCADE,
    per_hour int CHECK (per_hour > 0),
    burst int,
    UNIQUE (queue, actor),
    CHECK (burst IS NULL OR burst >= per_hour)
);
CREATE TABLE audit.events (
    at date NOT NULL,
    id bigint NOT NULL,
    actor int REFERENCES actors ON DELETE SET NULL,
    action text NOT NULL CHECK (action IN ('insert', 'update', 'delete')),
    record jsonb,
    PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE TABLE audit.events_2023 PARTITION OF audit.events FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
CREATE TABLE audit.events_2024 PARTITION OF audit.events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE audit.changes (
    id bigserial PRIMARY KEY,
    relation oid NOT NULL,
    op char(1) NOT NULL CHECK (op IN ('I', 'U', 'D')),
    old_row jsonb,
    new_row jsonb,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK ((op = 'I') = (old_row IS NULL)),
    CHECK ((op = 'D') = (new_row IS NULL))
);
CREATE FUNCTION audit.track() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO audit.changes (relation, op, old_row, new_row)
    VALUES (TG_RELID, left(TG_OP, 1), CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
    RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER track AFTER INSERT OR UPDATE OR DELETE ON queues FOR EACH ROW EXECUTE FUNCTION audit.track();
CREATE TRIGGER track AFTER INSERT OR UPDATE OR DELETE ON actors FOR EACH ROW EXECUTE FUNCTION audit.track();
CREATE FUNCTION audit.keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON audit.changes FOR EACH ROW EXECUTE FUNCTION audit.keep();
CREATE FUNCTION take_job(worker int, from_queue text) RETURNS SETOF jobs LANGUAGE sql AS $$
    UPDATE jobs SET status = 'running', locked_by = worker, locked_at = now(), attempts = attempts + 1
    WHERE id = (SELECT j.id FROM jobs j JOIN queues q ON q.name = j.queue
                WHERE j.queue = from_queue AND NOT q.paused AND j.status = 'queued' AND j.run_at <= now()
                ORDER BY j.run_at, j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
    RETURNING *
$$;
CREATE FUNCTION fail_job(job bigint, message text) RETURNS job_status LANGUAGE plpgsql AS $$
DECLARE
    result job_status;
BEGIN
    UPDATE jobs j SET status = CASE WHEN j.attempts >= q.max_attempts THEN 'dead'::job_status ELSE 'queued' END, locked_by = NULL, locked_at = NULL
    FROM queues q WHERE q.name = j.queue AND j.id = job AND j.status = 'running' RETURNING j.status INTO result;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'job % is not running', job USING ERRCODE = 'no_data_found';
    END IF;
    INSERT INTO job_errors SELECT job, coalesce(max(attempt), 0) + 1, fail_job.message FROM job_errors WHERE job_id = job;
    RETURN result;
END $$;
