-- Planted in lru_cache.sql: the cache makes room before it writes an entry, even if the key is already in it.
-- In a full cache, overwriting an entry evicts another one.
--
-- shortest: 5
--   put(key="a", value="")
--   put(key="b", value="")
--   put(key="c", value="")
--   put(key="d", value="")
--   put(key="d", value="")
-- Seen by the invariant `contents`: `a` is missing.

DROP TRIGGER evict ON cache;

CREATE OR REPLACE FUNCTION evict() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM cache WHERE key IN (SELECT key FROM cache ORDER BY last_used DESC OFFSET 3);
    RETURN NULL;
END
$$;

CREATE TRIGGER evict BEFORE INSERT ON cache
    FOR EACH STATEMENT EXECUTE FUNCTION evict();
