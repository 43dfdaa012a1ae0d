-- Rewrites book in PL/pgSQL. Harmless: it inserts the same row and returns its id. Only whether a call that fails uses up
-- a number of the sequence may differ.

CREATE OR REPLACE FUNCTION book(room integer, guest text, first_night date, nights integer) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    made bigint;
BEGIN
    LOCK TABLE bookings IN SHARE ROW EXCLUSIVE MODE;
    INSERT INTO bookings (room_id, guest, nights)
        VALUES (book.room, book.guest, daterange(book.first_night, book.first_night + book.nights))
        RETURNING id INTO made;
    RETURN made;
END
$$;
