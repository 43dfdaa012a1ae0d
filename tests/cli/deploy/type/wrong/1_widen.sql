ALTER TABLE stock ALTER COLUMN quantity TYPE text;
