-- A queue of jobs: the first that came is the first to go.
CREATE TABLE jobs (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task text NOT NULL
);

CREATE FUNCTION take() RETURNS integer LANGUAGE sql AS $$
    DELETE FROM jobs WHERE id = (SELECT min(id) FROM jobs) RETURNING id
$$;
