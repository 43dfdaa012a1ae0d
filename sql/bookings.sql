-- Bookings of rooms. A booking is a range of nights. No two bookings of a room overlap: an exclusion
-- constraint ensures this, whichever function writes. A booking can be split, so that the guest can change
-- rooms or get two bills, and merged again.
--
-- Writers take turns. Without that, sessions that write overlapping nights can wait for each other's row, which the
-- constraint is about, and deadlock; and a merge misses the neighbour that another session is just splitting off.

CREATE TABLE rooms (
    id   integer PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE bookings (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room_id integer NOT NULL REFERENCES rooms,
    guest   text NOT NULL,
    nights  daterange NOT NULL CONSTRAINT has_nights CHECK (
        NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
    -- The room is a range of one number, because GiST compares integers only with the extension btree_gist.
    CONSTRAINT no_overlap EXCLUDE USING gist (int4range(room_id, room_id, '[]') WITH &&, nights WITH &&)
);

CREATE FUNCTION book(room integer, guest text, first_night date, nights integer) RETURNS bigint
LANGUAGE sql
AS $$
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO bookings (room_id, guest, nights)
        VALUES (room, guest, daterange(first_night, first_night + nights))
        RETURNING id
$$;

CREATE FUNCTION cancel(booking bigint) RETURNS void
LANGUAGE sql
AS $$
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM bookings WHERE id = booking
$$;

CREATE FUNCTION move(booking bigint, to_room integer) RETURNS void
LANGUAGE sql
AS $$
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    UPDATE bookings SET room_id = to_room WHERE id = booking
$$;

-- The booking keeps the nights before `day`. The others become a new booking, whose id is returned. Both
-- parts must have at least one night.
CREATE FUNCTION split(booking bigint, day date) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole bookings;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    IF day <= lower(whole.nights) OR day >= upper(whole.nights) THEN
        RAISE check_violation
            USING MESSAGE = format('booking %s can''t be split on %s', booking, day),
                  CONSTRAINT = 'split_inside';
    END IF;
    UPDATE bookings SET nights = daterange(lower(whole.nights), day) WHERE id = booking;
    RETURN book(whole.room_id, whole.guest, day, upper(whole.nights) - day);
END
$$;

-- Merges the booking with the same guest's bookings in the same room that adjoin it on either side. It keeps
-- its id. The ids of the merged bookings, which no longer exist, are returned.
CREATE FUNCTION merge(booking bigint) RETURNS SETOF bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole     bookings;
    neighbour bookings;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    FOR neighbour IN
        DELETE FROM bookings
         WHERE room_id = whole.room_id AND guest = whole.guest AND nights -|- whole.nights
        RETURNING *
    LOOP
        UPDATE bookings SET nights = nights + neighbour.nights WHERE id = booking;
        RETURN NEXT neighbour.id;
    END LOOP;
END
$$;
