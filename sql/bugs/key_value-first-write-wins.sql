-- Planted in key_value.sql: what is pending for a key and is there already is left out when it is flushed,
-- so a new value lasts until the flush and not longer.
--
-- shortest: 4
--   put(key="", value="")
--   flush()
--   put(key="", value="0")
--   flush()
-- Seen by the invariant `contents`: the key has its first value.

CREATE OR REPLACE FUNCTION flush() RETURNS void
LANGUAGE sql
AS $$
    WITH flushed AS (
        DELETE FROM pending RETURNING *
    ), newest AS (
        SELECT DISTINCT ON (key) key, value, deleted FROM flushed ORDER BY key, seq DESC
    ), gone AS (
        DELETE FROM entries WHERE key IN (SELECT key FROM newest WHERE deleted)
    )
    INSERT INTO entries SELECT key, value FROM newest WHERE NOT deleted
        ON CONFLICT (key) DO NOTHING
$$;
