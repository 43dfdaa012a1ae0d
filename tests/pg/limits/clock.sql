ALTER TABLE parent ALTER COLUMN created_at SET DEFAULT clock_timestamp();
