-- A chain of hotels: bookings exclude one another, and keys are points in time.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TYPE booking_state AS ENUM ('held', 'confirmed', 'checked_in', 'gone', 'cancelled');
CREATE DOMAIN money_amount AS numeric(10, 2) CHECK (VALUE >= 0);
CREATE TABLE hotels (
    code text PRIMARY KEY CHECK (code ~ '^[A-Z]{3}$'),
    name text NOT NULL,
    opened date NOT NULL,
    timezone text NOT NULL DEFAULT 'UTC'
);
CREATE TABLE room_types (
    hotel text NOT NULL REFERENCES hotels ON UPDATE CASCADE ON DELETE CASCADE,
    code text NOT NULL,
    beds int NOT NULL CHECK (beds BETWEEN 1 AND 6),
    sleeps int NOT NULL,
    PRIMARY KEY (hotel, code),
    CHECK (sleeps >= beds AND sleeps <= 2 * beds)
);
CREATE TABLE rooms (
    hotel text NOT NULL,
    number int NOT NULL CHECK (number > 0),
    type text NOT NULL,
    floor int GENERATED ALWAYS AS (number / 100) STORED,
    out_of_order tstzrange,
    PRIMARY KEY (hotel, number),
    FOREIGN KEY (hotel, type) REFERENCES room_types ON UPDATE CASCADE ON DELETE RESTRICT
);
CREATE TABLE guests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL CHECK (btrim(name) <> ''),
    vip boolean NOT NULL DEFAULT false,
    born date CHECK (born > '1900-01-01')
);
CREATE UNIQUE INDEX guests_email ON guests (lower(email));
CREATE TABLE bookings (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    hotel text NOT NULL,
    room int NOT NULL,
    guest bigint NOT NULL REFERENCES guests ON DELETE RESTRICT,
    stay daterange NOT NULL CHECK (NOT isempty(stay) AND NOT lower_inf(stay) AND NOT upper_inf(stay)),
    state booking_state NOT NULL DEFAULT 'held',
    price money_amount NOT NULL,
    paid money_amount NOT NULL DEFAULT 0,
    FOREIGN KEY (hotel, room) REFERENCES rooms ON UPDATE CASCADE ON DELETE RESTRICT,
    CHECK (paid <= price),
    EXCLUDE USING gist (hotel WITH =, room WITH =, stay WITH &&) WHERE (state <> 'cancelled')
);
CREATE TABLE night_audits (
    hotel text NOT NULL REFERENCES hotels ON UPDATE CASCADE ON DELETE CASCADE,
    closed_at timestamptz NOT NULL,
    auditor text NOT NULL,
    PRIMARY KEY (hotel, closed_at)
);
CREATE TABLE audit_lines (
    hotel text NOT NULL,
    closed_at timestamptz NOT NULL,
    line int NOT NULL,
    booking uuid REFERENCES bookings ON DELETE SET NULL,
    amount money_amount NOT NULL,
    PRIMARY KEY (hotel, closed_at, line),
    FOREIGN KEY (hotel, closed_at) REFERENCES night_audits ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE price_changes (
    hotel text NOT NULL,
    type text NOT NULL,
    valid_from timestamptz NOT NULL DEFAULT now(),
    price money_amount NOT NULL,
    PRIMARY KEY (hotel, type, valid_from),
    FOREIGN KEY (hotel, type) REFERENCES room_types ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE wakeups (
    at time NOT NULL,
    booking uuid NOT NULL REFERENCES bookings ON DELETE CASCADE,
    snooze interval NOT NULL DEFAULT '10 minutes' CHECK (snooze BETWEEN '1 minute' AND '1 hour'),
    PRIMARY KEY (booking, at)
);
CREATE VIEW occupied AS SELECT hotel, room, stay FROM bookings WHERE state IN ('confirmed', 'checked_in');

CREATE FUNCTION check_in(p_booking uuid, p_guest bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE bookings SET state = 'checked_in' WHERE id = p_booking AND guest = p_guest AND state IN ('held', 'confirmed');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such booking of this guest' USING ERRCODE = 'no_data_found';
    END IF;
END $$;
CREATE FUNCTION move_to(p_booking_id uuid, p_hotel text, p_room int) RETURNS SETOF bookings LANGUAGE sql AS $$
    UPDATE bookings SET room = p_room WHERE id = p_booking_id AND hotel = p_hotel RETURNING *
$$;
CREATE FUNCTION free_rooms(p_hotel text, p_stay daterange) RETURNS TABLE (room int, sleeps int) LANGUAGE sql STABLE AS $$
    SELECT r.number, t.sleeps FROM rooms AS r JOIN room_types AS t ON (t.hotel, t.code) = (r.hotel, r.type)
    WHERE r.hotel = p_hotel
      AND NOT EXISTS (SELECT FROM bookings AS b WHERE (b.hotel, b.room) = (r.hotel, r.number) AND b.stay && p_stay AND b.state <> 'cancelled')
$$;
CREATE FUNCTION void_line(p_hotel text, p_closed_at timestamptz, p_line int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM audit_lines WHERE hotel = p_hotel AND closed_at = p_closed_at AND line = p_line;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such line';
    END IF;
    UPDATE audit_lines SET amount = 0 WHERE hotel = p_hotel AND closed_at = p_closed_at AND line = p_line;
END $$;
CREATE FUNCTION revenue(p_hotel text, OUT total numeric, OUT bookings bigint) LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(paid), 0), count(*) FROM bookings WHERE hotel = p_hotel
$$;
