-- Planted in bookings.sql: merge deletes both neighbours of a booking, but adds the nights of only one. If
-- there is a neighbour on each side, the nights of the other become free.
--
-- shortest: 4
--   bookings_1 = book(room=rooms_1, guest="ann", first=0, nights=3)
--   bookings_2 = split(booking=bookings_1, day=1)
--   bookings_3 = split(booking=bookings_2, day=2)
--   merge(booking=bookings_2)
-- Seen by the invariant `bookings`: one night is missing.

CREATE OR REPLACE FUNCTION merge(booking bigint) RETURNS SETOF bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole     bookings;
    neighbour daterange;
BEGIN
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    SELECT nights INTO neighbour FROM bookings
     WHERE room_id = whole.room_id AND guest = whole.guest AND nights -|- whole.nights;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
        DELETE FROM bookings
         WHERE room_id = whole.room_id AND guest = whole.guest AND nights -|- whole.nights
        RETURNING id;
    UPDATE bookings SET nights = nights + neighbour WHERE id = booking;
END
$$;
