-- Rewrites cancel and move in PL/pgSQL. Harmless: the statements are the same, and nobody uses the result, which is void.

CREATE OR REPLACE FUNCTION cancel(booking bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM bookings WHERE id = booking;
END
$$;

CREATE OR REPLACE FUNCTION move(booking bigint, to_room integer) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    UPDATE bookings SET room_id = to_room WHERE id = booking;
END
$$;
