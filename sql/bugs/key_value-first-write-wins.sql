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
    DELETE FROM entries WHERE key IN (SELECT key FROM newest WHERE value IS NULL);
    INSERT INTO entries SELECT key, value FROM newest WHERE value IS NOT NULL
        ON CONFLICT (key) DO NOTHING;
    DELETE FROM pending;
$$;
