-- Planted in connection_pool.sql: release returns correctly whether the lease was held, but puts the
-- connection back in either case. If another client leases the connection by then, it is both leased and idle.
--
-- shortest: 4
--   leases_1 = acquire(client="web", seconds=1)
--   release(lease=leases_1)
--   leases_2 = acquire(client="web", seconds=1)
--   release_again(lease=leases_1)
-- Seen by the invariant `conserved`: one connection is leased, and three of three are idle.

CREATE OR REPLACE FUNCTION release(lease bigint) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
    free bigint;
    was_held boolean;
BEGIN
    SELECT NOT ended, connection INTO was_held, free FROM leases WHERE id = lease FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE leases SET ended = true WHERE id = lease;
    INSERT INTO idle (connection) VALUES (free) ON CONFLICT DO NOTHING;
    RETURN was_held;
END
$$;
