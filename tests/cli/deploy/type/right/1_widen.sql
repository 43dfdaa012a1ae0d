ALTER TABLE stock ALTER COLUMN quantity TYPE bigint;
