-- Parcel lockers. A courier reserves a locker, puts a parcel in, and the customer collects it.

CREATE TABLE lockers (
    number       integer PRIMARY KEY,
    state        text NOT NULL DEFAULT 'free' CHECK (state IN ('free', 'reserved', 'full', 'blocked')),
    before_block text                         -- the state that unblock puts back
);

CREATE TABLE reservations (
    locker  integer PRIMARY KEY REFERENCES lockers,
    courier text NOT NULL
);

INSERT INTO lockers (number) SELECT generate_series(1, 20);

CREATE FUNCTION reserve(locker_number integer, by_courier text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lockers SET state = 'reserved' WHERE number = locker_number AND state = 'free';
    IF FOUND THEN
        INSERT INTO reservations VALUES (locker_number, by_courier);
        RETURN true;
    END IF;
    RETURN false;
END $$;

-- A courier may cancel at any time before the parcel is in the locker.
CREATE FUNCTION cancel(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM reservations WHERE locker = locker_number;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE lockers SET state = 'free' WHERE number = locker_number AND state = 'reserved';
    RETURN true;
END $$;

CREATE FUNCTION deposit(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lockers SET state = 'full' WHERE number = locker_number AND state = 'reserved';
    IF FOUND THEN
        DELETE FROM reservations WHERE locker = locker_number;
        RETURN true;
    END IF;
    RETURN false;
END $$;

CREATE FUNCTION collect(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lockers SET state = 'free' WHERE number = locker_number AND state = 'full';
    RETURN FOUND;
END $$;

-- The door jams, or the locker is cleaned.
CREATE FUNCTION block(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lockers SET before_block = state, state = 'blocked' WHERE number = locker_number AND state <> 'blocked';
    RETURN FOUND;
END $$;

CREATE FUNCTION unblock(locker_number integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lockers SET state = before_block, before_block = NULL
     WHERE number = locker_number AND state = 'blocked';
    RETURN FOUND;
END $$;
