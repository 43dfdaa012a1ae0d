-- Planted in seats.sql: reserve looks for another reservation, and inserts if there is none; no constraint backs it. Two
-- reservations at the same time don't see each other.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  reserve(seat=1, first=0, last=1, passenger="ann")
--   B1  reserve(seat=1, first=0, last=1, passenger="ann")

ALTER TABLE reservations DROP CONSTRAINT no_overlap;

CREATE OR REPLACE FUNCTION reserve(a_seat integer, from_stop integer, to_stop integer, who text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    IF EXISTS (SELECT FROM reservations WHERE seat = a_seat AND stops && int4range(from_stop, to_stop)) THEN
        RAISE 'seat % is taken', a_seat USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'no_overlap';
    END IF;
    INSERT INTO reservations VALUES (a_seat, int4range(from_stop, to_stop), who);
END
$$;
