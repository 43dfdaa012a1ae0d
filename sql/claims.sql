-- Jobs, and the workers that have claimed them. Two workers that ask at the same time get different jobs.

CREATE TABLE jobs (
    id     integer PRIMARY KEY,
    worker text                         -- NULL: nobody has claimed it
);

-- Returns a job that nobody has claimed, or NULL; NULL to nobody, too. SKIP LOCKED leaves out a job that another session
-- is just claiming, without waiting for it. So it may be another job than the first.
CREATE FUNCTION claim(for_worker text) RETURNS integer
LANGUAGE sql STRICT
AS $$
    UPDATE jobs SET worker = for_worker
     WHERE id = (SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;
