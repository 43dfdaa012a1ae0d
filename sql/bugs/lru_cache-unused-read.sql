-- Planted in lru_cache.sql: reading an entry does not count as use, so the cache evicts the entry that was
-- written longest ago.
--
-- shortest: 6
--   put(key="a", value="")
--   put(key="b", value="")
--   put(key="c", value="")
--   put(key="d", value="")
--   get(key="a")
--   put(key="e", value="")
-- Seen by the invariant `contents`: `a` was evicted instead of `b`.

CREATE OR REPLACE FUNCTION cache_get(wanted text) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT value FROM cache WHERE key = wanted
$$;
