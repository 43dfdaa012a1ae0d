ALTER TABLE preferences DROP CONSTRAINT preferences_person_name_key;
ALTER TABLE preferences ALTER COLUMN tenant DROP DEFAULT;
