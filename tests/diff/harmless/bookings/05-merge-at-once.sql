-- Rewrites merge: it deletes all neighbours and then extends the booking once, without a loop. Harmless: neighbours adjoin,
-- so all nights from the first to the last are booked. The order of the returned ids was never defined.

CREATE OR REPLACE FUNCTION merge(booking bigint) RETURNS SETOF bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole     bookings;
    merged    bigint[];
    earliest  date;
    departure date;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    WITH gone AS (
        DELETE FROM bookings
         WHERE room_id = whole.room_id AND guest = whole.guest AND nights -|- whole.nights
        RETURNING id, nights
    )
    SELECT array_agg(id), min(lower(nights)), max(upper(nights)) INTO merged, earliest, departure FROM gone;
    IF merged IS NOT NULL THEN
        UPDATE bookings
           SET nights = daterange(least(lower(nights), earliest), greatest(upper(nights), departure))
         WHERE id = booking;
        RETURN QUERY SELECT unnest(merged);
    END IF;
END
$$;
