-- The last job goes first: two pushes and a take show it.
CREATE OR REPLACE FUNCTION take() RETURNS integer LANGUAGE sql AS $$
    DELETE FROM jobs WHERE id = (SELECT max(id) FROM jobs) RETURNING id
$$;
