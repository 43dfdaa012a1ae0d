-- A key-value store that writes to a log first, as stores do that must answer a write quickly: put and
-- delete append to `pending`, flush moves what is pending to `entries`. A reader sees the newest of both.

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

-- What was written last for each key that is pending.
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

-- Says whether the key was there.
CREATE FUNCTION delete(old_key text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    IF get(old_key) IS NULL THEN
        RETURN false;
    END IF;
    INSERT INTO pending (key, deleted) VALUES (old_key, true);
    RETURN true;
END
$$;

-- One statement, so that it sees one state of the log: what is put while it runs stays pending.
CREATE FUNCTION flush() RETURNS void
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
        ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
$$;
