-- Gives the names of guests a domain. Harmless: the domain has no constraint, and clients see the type text as before.

CREATE DOMAIN person AS text;
ALTER TABLE bookings ALTER COLUMN guest TYPE person;
