CREATE TABLE pools (name text PRIMARY KEY, free integer NOT NULL CHECK (free >= 0));
INSERT INTO pools VALUES ('x', 1), ('y', 1);
CREATE TABLE requests (id integer PRIMARY KEY, pool text NOT NULL REFERENCES pools, state text NOT NULL);
CREATE FUNCTION acquire(who integer, which text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE left_over integer;
BEGIN
    PERFORM FROM pools WHERE name = which FOR UPDATE;
    INSERT INTO requests VALUES (who, which, 'new');
    left_over := (SELECT free FROM pools WHERE name = which);
    IF left_over > 0 THEN
        UPDATE pools SET free = free - 1 WHERE name = which AND free > 0;
        IF FOUND THEN
            UPDATE requests SET state = 'holds' WHERE id = who;
            RETURN true;
        END IF;
    END IF;
    UPDATE requests SET state = 'queued' WHERE id = who;
    RETURN false;
END $$;
CREATE FUNCTION release(who integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE which text; follower integer;
BEGIN
    PERFORM FROM pools ORDER BY name FOR UPDATE;
    DELETE FROM requests WHERE id = who AND state = 'holds' RETURNING pool INTO which;
    IF NOT FOUND THEN RETURN NULL; END IF;
    UPDATE pools SET free = free + 1 WHERE name = which;
    follower := (SELECT min(id) FROM requests WHERE pool = which AND state = 'queued');
    IF follower IS NOT NULL THEN
        UPDATE pools SET free = free - 1 WHERE name = which;
        UPDATE requests SET state = 'holds' WHERE id = follower;
    END IF;
    RETURN follower;
END $$;
