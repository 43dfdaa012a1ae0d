-- Planted in bookings.sql: a trigger replaces the constraint, and checks only whether the last night is taken.
-- A guest who stays longer than the one in the room gets the room, too.
--
-- shortest: 2
--   bookings_1 = book(room=rooms_1, guest="ann", first=0, nights=1)
--   book(room=rooms_1, guest="ann", first=0, nights=2)
-- Seen in the second step: exclusion_violation is expected but not raised.

ALTER TABLE bookings DROP CONSTRAINT no_overlap;

CREATE FUNCTION no_overlap() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF EXISTS (SELECT FROM bookings
                WHERE room_id = NEW.room_id AND id <> NEW.id
                  AND nights @> upper(NEW.nights) - 1)
    THEN
        RAISE exclusion_violation USING MESSAGE = 'the room is taken', CONSTRAINT = 'no_overlap';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER no_overlap BEFORE INSERT OR UPDATE ON bookings
    FOR EACH ROW EXECUTE FUNCTION no_overlap();
