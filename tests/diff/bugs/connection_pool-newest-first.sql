-- acquire orders by the connection's id instead of its place in the stack: not the connection that was used last.
-- shortest: 4 requests
--   c = SELECT min(o) FROM open_connections(2) AS o
--   DELETE FROM idle WHERE connection = :c
--   INSERT INTO idle (connection) VALUES (:c)
--   SELECT connection FROM acquire('web', 1)
-- Both ids are ones that the server made: only which of them comes shows the fault.

CREATE OR REPLACE FUNCTION acquire(new_client text, until integer) RETURNS leases
LANGUAGE plpgsql
AS $$
DECLARE
    taken bigint;
    lease leases;
BEGIN
    SELECT connection INTO taken FROM idle ORDER BY connection DESC LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RAISE too_many_connections USING MESSAGE = 'every connection is leased';
    END IF;
    DELETE FROM idle WHERE connection = taken;
    INSERT INTO leases (connection, client, expires) VALUES (taken, new_client, until)
    RETURNING * INTO lease;
    RETURN lease;
END
$$;
