-- Tickets for a small theatre. A visitor holds a seat for five minutes and may extend the hold twice.

CREATE TABLE clock (minute integer NOT NULL);
INSERT INTO clock VALUES (0);

CREATE FUNCTION now_minute() RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT minute FROM clock
$$;

CREATE TABLE holds (
    seat       text PRIMARY KEY,
    visitor    text NOT NULL,
    until      integer NOT NULL,             -- not including this minute
    extensions integer NOT NULL DEFAULT 0 CHECK (extensions <= 2)
);

CREATE TABLE tickets (
    seat    text PRIMARY KEY,
    visitor text NOT NULL
);

-- A hold that has run out is taken over. Each function returns whether it did what was asked.
CREATE FUNCTION hold_seat(the_seat text, the_visitor text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM tickets WHERE seat = the_seat) THEN
        RETURN false;
    END IF;
    INSERT INTO holds AS h (seat, visitor, until) VALUES (the_seat, the_visitor, now_minute() + 5)
    ON CONFLICT (seat) DO UPDATE SET visitor = EXCLUDED.visitor, until = EXCLUDED.until
     WHERE h.until <= now_minute();
    RETURN FOUND;
END $$;

CREATE FUNCTION extend_hold(the_seat text, the_visitor text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE holds SET until = now_minute() + 5, extensions = extensions + 1
     WHERE seat = the_seat AND visitor = the_visitor AND until > now_minute() AND extensions < 2;
    RETURN FOUND;
END $$;

CREATE FUNCTION release_seat(the_seat text, the_visitor text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM holds WHERE seat = the_seat AND visitor = the_visitor AND until > now_minute();
    RETURN FOUND;
END $$;

CREATE FUNCTION buy_ticket(the_seat text, the_visitor text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT release_seat(the_seat, the_visitor) THEN
        RETURN false;
    END IF;
    INSERT INTO tickets VALUES (the_seat, the_visitor);
    RETURN true;
END $$;
