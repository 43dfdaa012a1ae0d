DROP TRIGGER same_mail ON people;
DROP FUNCTION same_mail();
ALTER TABLE people DROP COLUMN mail;
