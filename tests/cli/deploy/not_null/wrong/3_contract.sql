-- Rows that the old program has inserted since the backfill have no status.
ALTER TABLE orders ALTER COLUMN status SET NOT NULL;
