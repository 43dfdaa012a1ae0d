-- Messages that a key may send: two in each minute of the clock and five in each hour. What counts is the minute that
-- the clock shows, so four messages in two seconds are fine if a minute ends between them.
CREATE TABLE keys (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);

CREATE TABLE messages (
    id  integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key integer NOT NULL REFERENCES keys,
    at  timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION send(by_key integer) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    of_minute bigint := (SELECT count(*) FROM messages WHERE key = by_key AND at >= date_trunc('minute', now()));
    of_hour   bigint := (SELECT count(*) FROM messages WHERE key = by_key AND at >= date_trunc('hour', now()));
BEGIN
    IF of_minute >= 2 OR of_hour >= 5 THEN
        RETURN false;
    END IF;
    INSERT INTO messages (key) VALUES (by_key);
    RETURN true;
END $$;
