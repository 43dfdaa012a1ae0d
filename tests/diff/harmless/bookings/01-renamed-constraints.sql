-- Renames the constraints that say when a room is free. Harmless: they refuse the same rows with the same SQLSTATEs.

ALTER TABLE bookings RENAME CONSTRAINT no_overlap TO bookings_nights_excl;
ALTER TABLE bookings RENAME CONSTRAINT has_nights TO bookings_nights_check;
