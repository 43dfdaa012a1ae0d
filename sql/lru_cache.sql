-- A cache of four entries. A fifth entry replaces the one that was used longest ago. Both reads and writes
-- count as use. Sessions that write take turns. Otherwise two new entries that are written at the same time would not see
-- each other, and the cache would hold five.

CREATE SEQUENCE uses;

CREATE UNLOGGED TABLE cache (
    key       text PRIMARY KEY,
    value     text NOT NULL,
    last_used bigint NOT NULL DEFAULT nextval('uses') UNIQUE
);

-- Returns NULL if the key is not in the cache.
CREATE FUNCTION cache_get(wanted text) RETURNS text
LANGUAGE sql
AS $$
    UPDATE cache SET last_used = nextval('uses') WHERE key = wanted RETURNING value
$$;

CREATE FUNCTION cache_put(new_key text, new_value text) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO cache (key, value) VALUES (new_key, new_value)
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, last_used = EXCLUDED.last_used
$$;

CREATE FUNCTION cache_forget(old_key text) RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM cache WHERE key = old_key
$$;

-- A trigger, so that the limit holds for every kind of insert.
CREATE FUNCTION evict() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM cache WHERE key IN (SELECT key FROM cache ORDER BY last_used DESC OFFSET 4);
    RETURN NULL;
END
$$;

CREATE TRIGGER evict AFTER INSERT ON cache
    FOR EACH STATEMENT EXECUTE FUNCTION evict();

CREATE UNLOGGED TABLE turn AS SELECT; -- one row, to be locked

CREATE FUNCTION wait_for_others() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM turn FOR UPDATE;
    RETURN NULL;
END
$$;

CREATE TRIGGER wait_for_others BEFORE INSERT OR UPDATE OR DELETE ON cache
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_others();
