-- A pool of connections that clients lease for a time. A lease ends when it is released or expires; then its
-- connection is idle again. A broken connection is replaced, and the lease continues with the new one. Every
-- connection is always either leased or idle.
--
-- The functions take the time as an argument. A function that reads the clock could only be tested by waiting.

CREATE TABLE connections (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY
);

CREATE TABLE leases (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    connection bigint NOT NULL REFERENCES connections ON DELETE CASCADE,
    client     text NOT NULL,
    expires    integer NOT NULL,    -- in seconds
    ended      boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX one_lease_of_a_connection ON leases (connection) WHERE NOT ended;

-- A stack: the connection that was used last has the warmest caches, and is leased first.
CREATE TABLE idle (
    connection bigint PRIMARY KEY REFERENCES connections ON DELETE CASCADE,
    place      bigint GENERATED ALWAYS AS IDENTITY
);

CREATE VIEW pool AS
    SELECT (SELECT count(*) FROM leases WHERE NOT ended) AS leased,
           (SELECT count(*) FROM idle) AS idle,
           (SELECT count(*) FROM connections) AS total;

CREATE FUNCTION open_connections(number integer) RETURNS SETOF bigint
LANGUAGE sql
AS $$
    WITH opened AS (
        INSERT INTO connections SELECT FROM generate_series(1, number) RETURNING id
    )
    INSERT INTO idle (connection) SELECT id FROM opened RETURNING connection
$$;

-- Returns the new lease: its id, and the connection that the client should use.
CREATE FUNCTION acquire(new_client text, until integer) RETURNS leases
LANGUAGE plpgsql
AS $$
DECLARE
    taken bigint;
    lease leases;
BEGIN
    DELETE FROM idle
     WHERE connection = (SELECT connection FROM idle ORDER BY place DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING connection INTO taken;
    IF NOT FOUND THEN
        RAISE too_many_connections USING MESSAGE = 'every connection is leased';
    END IF;
    INSERT INTO leases (connection, client, expires) VALUES (taken, new_client, until)
    RETURNING * INTO lease;
    RETURN lease;
END
$$;

-- Returns whether the lease was still held. Releasing a lease that has ended is not an error, because the client
-- can't know that it expired.
CREATE FUNCTION release(lease bigint) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    free bigint;
BEGIN
    UPDATE leases SET ended = true WHERE id = lease AND NOT ended RETURNING connection INTO free;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO idle (connection) VALUES (free);
    RETURN true;
END
$$;

-- Ends the expired leases, the oldest first, and returns how many there were.
CREATE FUNCTION expire(now integer) RETURNS bigint
LANGUAGE sql
AS $$
    WITH freed AS (
        UPDATE leases SET ended = true WHERE NOT ended AND expires <= now RETURNING id, connection
    ), put_back AS (
        INSERT INTO idle (connection) SELECT connection FROM freed ORDER BY id
    )
    SELECT count(*) FROM freed
$$;

-- The client reports that the connection of its lease no longer responds, and gets a new one instead.
CREATE FUNCTION report_broken(lease bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    broken bigint;
    opened bigint;
BEGIN
    SELECT connection INTO broken FROM leases WHERE id = lease AND NOT ended FOR UPDATE;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('lease %s has ended', lease);
    END IF;
    INSERT INTO connections DEFAULT VALUES RETURNING id INTO opened;
    UPDATE leases SET connection = opened WHERE id = lease;
    DELETE FROM connections WHERE id = broken;
    RETURN opened;
END
$$;
