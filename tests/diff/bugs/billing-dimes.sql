-- The amount of a bill has one decimal, so cents are rounded away. The fee still has two.
-- shortest: 2 requests
--   s = INSERT INTO subscribers (fee) VALUES (0.01) RETURNING id
--   INSERT INTO bills (month, subscriber, amount) SELECT 1, id, fee FROM subscribers RETURNING amount

ALTER TABLE bills ALTER COLUMN amount TYPE numeric(8, 1);
