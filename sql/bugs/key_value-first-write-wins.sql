-- Planted in key_value.sql: flush does not overwrite a key that has been flushed before. Its new value is lost
-- at the flush.
--
-- shortest: 4
--   put(key="", value="")
--   flush()
--   put(key="", value="0")
--   flush()
-- Seen by the invariant `contents`: the key has its first value again.

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
