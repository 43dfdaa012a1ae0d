-- The lock alone says whether somebody works on the job.
CREATE TABLE jobs (id integer PRIMARY KEY, busy boolean NOT NULL DEFAULT false);
INSERT INTO jobs SELECT generate_series(1, 5);
CREATE FUNCTION begin_job(job integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_try_advisory_lock(job) THEN
        RETURN false;
    END IF;
    UPDATE jobs SET busy = true WHERE id = job;
    RETURN true;
END $$;
CREATE FUNCTION end_job(job integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE jobs SET busy = false WHERE id = job;
    PERFORM pg_advisory_unlock(job);
END $$;
