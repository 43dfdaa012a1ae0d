-- Adds a column with a default to rooms. Harmless: no statement that exists names it.

ALTER TABLE rooms ADD COLUMN beds integer NOT NULL DEFAULT 2;
