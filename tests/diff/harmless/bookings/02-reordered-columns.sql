-- Makes bookings again with its columns in another order. Harmless: rows, constraints and the next id stay, and every
-- statement names its columns.

BEGIN;
LOCK TABLE bookings;
ALTER TABLE bookings RENAME TO old_bookings;
ALTER SEQUENCE bookings_id_seq RENAME TO old_bookings_id_seq;
ALTER TABLE old_bookings RENAME CONSTRAINT bookings_pkey TO old_bookings_pkey;
ALTER TABLE old_bookings RENAME CONSTRAINT no_overlap TO old_no_overlap;
ALTER TABLE old_bookings RENAME CONSTRAINT bookings_room_id_fkey TO old_bookings_room_id_fkey;

CREATE TABLE bookings (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    nights  daterange NOT NULL CONSTRAINT has_nights CHECK (
        NOT isempty(nights) AND NOT lower_inf(nights) AND NOT upper_inf(nights)),
    room_id integer NOT NULL REFERENCES rooms,
    guest   text NOT NULL,
    CONSTRAINT no_overlap EXCLUDE USING gist (int4range(room_id, room_id, '[]') WITH &&, nights WITH &&)
);
INSERT INTO bookings (id, room_id, guest, nights) OVERRIDING SYSTEM VALUE
    SELECT id, room_id, guest, nights FROM old_bookings;
SELECT setval('bookings_id_seq', last_value, is_called) FROM old_bookings_id_seq;
DROP TABLE old_bookings;
COMMIT;
