-- split returns the id of the first part, which it was given, instead of the second part's.
-- shortest: 3 requests
--   INSERT INTO rooms VALUES (1, 'a')
--   b = SELECT book(1, 'ann', '2024-01-01', 2)
--   SELECT split(:b, '2024-01-02') = :b
-- Both are ids that the server made: only which of them comes shows the fault.

CREATE OR REPLACE FUNCTION split(booking bigint, day date) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    whole bookings;
    made  bigint;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO STRICT whole FROM bookings WHERE id = booking FOR UPDATE;
    IF day <= lower(whole.nights) OR day >= upper(whole.nights) THEN
        RAISE check_violation
            USING MESSAGE = format('booking %s can''t be split on %s', booking, day),
                  CONSTRAINT = 'split_inside';
    END IF;
    UPDATE bookings SET nights = daterange(lower(nights), day) WHERE id = booking RETURNING id INTO made;
    PERFORM book(whole.room_id, whole.guest, day, upper(whole.nights) - day);
    RETURN made;
END
$$;
