ALTER TABLE orders ADD COLUMN status text;
