-- Planted in connection_pool.sql: the broken connection is deleted first, and ON DELETE CASCADE deletes the
-- lease with it. The new connection is neither leased nor idle.
--
-- shortest: 2
--   leases_1 = acquire(client="web", seconds=1)
--   report_broken(lease=leases_1)
-- Seen by the invariant `conserved`: none of the three connections is leased, and two are idle.

CREATE OR REPLACE FUNCTION report_broken(lease bigint) RETURNS bigint
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
    DELETE FROM connections WHERE id = broken;
    INSERT INTO connections DEFAULT VALUES RETURNING id INTO opened;
    UPDATE leases SET connection = opened WHERE id = lease;
    RETURN opened;
END
$$;
