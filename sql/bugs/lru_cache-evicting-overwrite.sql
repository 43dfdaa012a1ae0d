-- Planted in lru_cache.sql: room is made before an entry is written, whether or not it has a place already.
-- Writing an entry of a full cache again makes it forget another one.
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
