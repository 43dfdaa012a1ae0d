UPDATE orders SET state = 'sent' WHERE state = 'paid';
ALTER TABLE orders ALTER COLUMN state SET DEFAULT 'sent';
