-- Planted in key_value.sql: flush writes what was put, and drops with the log what was deleted. A key that
-- had been flushed before it was deleted comes back.
--
-- shortest: 4
--   put(key="", value="")
--   flush()
--   delete(key="")
--   flush()
-- Seen by the invariant `contents`: the key is there again.

CREATE OR REPLACE FUNCTION flush() RETURNS void
LANGUAGE sql
AS $$
    WITH flushed AS (
        DELETE FROM pending RETURNING *
    ), newest AS (
        SELECT DISTINCT ON (key) key, value, deleted FROM flushed ORDER BY key, seq DESC
    )
    INSERT INTO entries SELECT key, value FROM newest WHERE NOT deleted
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
$$;
