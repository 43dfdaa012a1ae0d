-- Jobs that workers claim, complete, or give back. Two workers that ask at the same time get different jobs.

CREATE TABLE jobs (
    id     integer PRIMARY KEY,
    worker text,                        -- who does it
    done   boolean NOT NULL DEFAULT false,
    CONSTRAINT done_by_somebody CHECK (worker IS NOT NULL OR NOT done)
);

CREATE FUNCTION add_job(job integer) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO jobs (id) VALUES (job)
$$;

-- Returns the first job that nobody has claimed, or NULL; NULL to nobody, too. SKIP LOCKED leaves out a job that another session is just
-- claiming, without waiting for it.
CREATE FUNCTION claim(for_worker text) RETURNS integer
LANGUAGE sql STRICT
AS $$
    UPDATE jobs SET worker = for_worker
     WHERE id = (SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;

-- complete and give_back return whether the worker had the job.
CREATE FUNCTION complete(job integer, by_worker text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs SET done = true WHERE id = job AND worker = by_worker AND NOT done;
    RETURN FOUND;
END
$$;

CREATE FUNCTION give_back(job integer, by_worker text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE jobs SET worker = NULL WHERE id = job AND worker = by_worker AND NOT done;
    RETURN FOUND;
END
$$;
