-- Planted in key_value.sql: flush writes new values, but drops deletions together with the log. A key that was
-- flushed before it was deleted comes back.
--
-- shortest: 4
--   put(key="", value="")
--   flush()
--   delete(key="")
--   flush()
-- Seen by the invariant `contents`: the key exists again.

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
