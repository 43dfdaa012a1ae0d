-- Keys with sets of values; deleting a value deletes nothing.
-- Shortest: a key, a value, save, delete, compare (5).
CREATE TABLE entries (key text, value text, PRIMARY KEY (key, value));

CREATE FUNCTION save(k text, v text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO entries VALUES (k, v) ON CONFLICT DO NOTHING
$$;

CREATE FUNCTION delete(k text, v text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM entries WHERE false -- the bug: should be key = k AND value = v
$$;
