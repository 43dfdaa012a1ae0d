SET lock_timeout = '2s';
ALTER TABLE orders ADD COLUMN note text;
