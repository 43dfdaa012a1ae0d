-- Planted in wake_up.sql: nobody locks the queue; next_job locks the job that it takes, which keeps two workers apart. A worker
-- looks and finds no job; a producer adds one and finds nobody asleep; the worker goes to sleep.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  add_job(job=1)
--   B1  next_job(worker="ann")

CREATE OR REPLACE FUNCTION add_job(job integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    woken integer;
BEGIN
    INSERT INTO jobs (id) VALUES (job);
    UPDATE workers SET asleep = false WHERE asleep;
    GET DIAGNOSTICS woken = ROW_COUNT;
    RETURN woken;
END
$$;

CREATE OR REPLACE FUNCTION next_job(for_worker text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    job integer;
BEGIN
    SELECT id INTO job FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF job IS NULL THEN
        UPDATE workers SET asleep = true WHERE name = for_worker;
    ELSE
        UPDATE jobs SET worker = for_worker WHERE id = job;
    END IF;
    RETURN job;
END
$$;
