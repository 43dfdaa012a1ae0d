-- Fault: the backfill leaves NULL in bookings of one night, which the CHECK refuses.

ALTER TABLE bookings ADD COLUMN checkout date;

UPDATE bookings SET checkout = upper(nights) WHERE upper(nights) - lower(nights) > 1;
ALTER TABLE bookings ADD CONSTRAINT knows_checkout
    CHECK (checkout IS NOT NULL OR isempty(nights) OR upper_inf(nights));

CREATE FUNCTION set_checkout() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.checkout := upper(NEW.nights);
    RETURN NEW;
END
$$;

CREATE TRIGGER set_checkout BEFORE INSERT OR UPDATE ON bookings
    FOR EACH ROW EXECUTE FUNCTION set_checkout();

CREATE OR REPLACE FUNCTION split(booking bigint, day date) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole bookings;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    IF day <= lower(whole.nights) OR day >= whole.checkout THEN
        RAISE check_violation
            USING MESSAGE = format('booking %s can''t be split on %s', booking, day),
                  CONSTRAINT = 'split_inside';
    END IF;
    UPDATE bookings SET nights = daterange(lower(whole.nights), day) WHERE id = booking;
    RETURN book(whole.room_id, whole.guest, day, whole.checkout - day);
END
$$;
