-- A claim whose answer is lost is lost, too.
CREATE TABLE jobs (id integer PRIMARY KEY, worker text);
CREATE FUNCTION claim(who text) RETURNS integer LANGUAGE sql AS $$
    UPDATE jobs SET worker = who
    WHERE id = (SELECT id FROM jobs WHERE worker IS NULL ORDER BY id LIMIT 1 FOR UPDATE)
    RETURNING id
$$;
