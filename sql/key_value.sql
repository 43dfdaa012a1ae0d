-- A key-value store with a write-ahead log, which makes writes fast: put and delete append to `pending`, and
-- flush moves the pending changes to `entries`. A reader sees the newest value from either table.

CREATE TABLE entries (
    key   text PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE pending (
    seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key     text NOT NULL,
    value   text,
    deleted boolean NOT NULL DEFAULT false,
    CONSTRAINT value_or_deleted CHECK (deleted = (value IS NULL))
);
CREATE INDEX pending_key ON pending (key, seq DESC);

-- The last change of each key in `pending`.
CREATE VIEW newest AS
    SELECT DISTINCT ON (key) key, value, deleted FROM pending ORDER BY key, seq DESC;

-- The store as a reader sees it.
CREATE VIEW contents AS
    SELECT key, value FROM newest WHERE NOT deleted
    UNION ALL
    SELECT key, value FROM entries WHERE key NOT IN (SELECT key FROM newest);

CREATE FUNCTION get(wanted text) RETURNS text
LANGUAGE sql STABLE
AS $$
    SELECT value FROM contents WHERE key = wanted
$$;

CREATE FUNCTION put(new_key text, new_value text) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO pending (key, value) VALUES (new_key, new_value)
$$;

-- Returns whether the key existed. Deletions and flushes take turns: what they look at is not to change meanwhile.
CREATE FUNCTION delete(old_key text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    LOCK TABLE pending IN SHARE UPDATE EXCLUSIVE MODE;
    IF get(old_key) IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO pending (key, deleted) VALUES (old_key, true);
    RETURN true;
END
$$;

-- A single statement sees a single state of the log: a value that is put meanwhile stays pending.
CREATE FUNCTION flush() RETURNS void
LANGUAGE sql
AS $$
    LOCK TABLE pending IN SHARE UPDATE EXCLUSIVE MODE;
    WITH flushed AS (
        DELETE FROM pending RETURNING *
    ), newest AS (
        SELECT DISTINCT ON (key) key, value, deleted FROM flushed ORDER BY key, seq DESC
    ), gone AS (
        DELETE FROM entries WHERE key IN (SELECT key FROM newest WHERE deleted)
    )
    INSERT INTO entries SELECT key, value FROM newest WHERE NOT deleted
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
$$;
