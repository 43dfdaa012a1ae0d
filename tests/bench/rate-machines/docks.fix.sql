-- A block remembers the state in a column of its own.
ALTER TABLE dock ADD blocked_in dock_state;
CREATE OR REPLACE FUNCTION dock_block(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = 'blocked', blocked_in = state
    WHERE code = d AND state <> 'blocked';
    RETURN FOUND;
END $$;
CREATE OR REPLACE FUNCTION dock_unblock(d text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE dock SET state = blocked_in, blocked_in = NULL
    WHERE code = d AND state = 'blocked';
    RETURN FOUND;
END $$;
