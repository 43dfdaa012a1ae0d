-- Makes jobs again with its columns in another order. Harmless: rows, constraints and the next id stay, and every
-- statement names its columns.

BEGIN;
CREATE TABLE new_jobs (
    id           bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME new_jobs_id_seq) PRIMARY KEY,
    run_at       timestamptz NOT NULL,
    lease_until  timestamptz,
    attempts     integer NOT NULL DEFAULT 0,
    max_attempts integer NOT NULL CONSTRAINT tried_once CHECK (max_attempts > 0),
    state        job_state NOT NULL DEFAULT 'queued',
    worker       text,
    payload      text NOT NULL,
    CONSTRAINT attempts_in_bounds CHECK (attempts BETWEEN 0 AND max_attempts),
    CONSTRAINT running_has_worker CHECK ((state = 'running') = (worker IS NOT NULL)),
    CONSTRAINT running_has_lease CHECK ((state = 'running') = (lease_until IS NOT NULL))
);
INSERT INTO new_jobs (id, payload, state, attempts, max_attempts, run_at, worker, lease_until)
    OVERRIDING SYSTEM VALUE
    SELECT id, payload, state, attempts, max_attempts, run_at, worker, lease_until FROM jobs ORDER BY id;
SELECT setval('new_jobs_id_seq', last_value, is_called) FROM jobs_id_seq;
DROP TABLE jobs;
ALTER TABLE new_jobs RENAME TO jobs;
ALTER TABLE jobs RENAME CONSTRAINT new_jobs_pkey TO jobs_pkey;
ALTER SEQUENCE new_jobs_id_seq RENAME TO jobs_id_seq;
CREATE INDEX ON jobs (run_at, id) WHERE state IN ('queued', 'running');
COMMIT;
