-- A worker that asks again gets the job that it has.
CREATE TABLE jobs (id integer PRIMARY KEY, worker text);
CREATE FUNCTION claim(who text) RETURNS integer LANGUAGE sql AS $$
    UPDATE jobs SET worker = who
    WHERE id = (SELECT id FROM jobs WHERE coalesce(worker, who) = who ORDER BY worker, id LIMIT 1 FOR UPDATE)
    RETURNING id
$$;
