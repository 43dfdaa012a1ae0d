-- The view was dropped and made again with one column more, without its trigger: a DELETE reaches the table.
-- shortest: 2 requests
--   as postgres (app.user = ann): INSERT INTO customers (name, email) VALUES ('a', 'a@b')
--   as postgres (app.user = ann): DELETE FROM customers

DROP VIEW customers;
CREATE VIEW customers AS
    SELECT id, name, email, phone, split_part(email, '@', 2) AS domain FROM customer_rows WHERE NOT deleted;
