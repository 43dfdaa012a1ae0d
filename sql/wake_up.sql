-- A worker that finds no job sleeps until a producer wakes it. Between the worker's look and its sleep, a producer can add a
-- job and find nobody to wake. So both lock the queue first.

CREATE TABLE queue (name text);           -- one row, to be locked
INSERT INTO queue VALUES ('jobs');

CREATE TABLE workers (
    name   text PRIMARY KEY,
    asleep boolean NOT NULL
);

CREATE TABLE jobs (
    id     integer PRIMARY KEY,
    worker text REFERENCES workers
);

-- Returns how many workers it has woken.
CREATE FUNCTION add_job(job integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    woken integer;
BEGIN
    PERFORM FROM queue FOR UPDATE;
    INSERT INTO jobs (id) VALUES (job);
    UPDATE workers SET asleep = false WHERE asleep;
    GET DIAGNOSTICS woken = ROW_COUNT;
    RETURN woken;
END
$$;

-- Returns the job that the worker is to do, or NULL: then it sleeps.
CREATE FUNCTION next_job(for_worker text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    job integer;
BEGIN
    PERFORM FROM queue FOR UPDATE;
    SELECT id INTO job FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1;
    IF job IS NULL THEN
        UPDATE workers SET asleep = true WHERE name = for_worker;
    ELSE
        UPDATE jobs SET worker = for_worker WHERE id = job;
    END IF;
    RETURN job;
END
$$;
