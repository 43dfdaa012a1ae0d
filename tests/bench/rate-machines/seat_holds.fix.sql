CREATE OR REPLACE FUNCTION hold_seat(the_seat text, the_visitor text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tickets WHERE seat = the_seat) THEN
        RETURN false;
    END IF;
    INSERT INTO holds AS h (seat, visitor, until) VALUES (the_seat, the_visitor, now_minute() + 5)
    ON CONFLICT (seat) DO UPDATE SET visitor = EXCLUDED.visitor, until = EXCLUDED.until, extensions = 0
     WHERE h.until <= now_minute();
    RETURN FOUND;
END $$;
