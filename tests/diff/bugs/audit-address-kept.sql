-- The unique index of addresses is no longer partial: the address of a deleted customer can't be used again.
-- shortest: 3 requests
--   as postgres (app.user = ann): INSERT INTO customers (name, email) VALUES ('a', 'a@b')
--   as postgres (app.user = ann): DELETE FROM customers
--   as postgres (app.user = ann): INSERT INTO customers (name, email) VALUES ('b', 'a@b')

CREATE UNIQUE INDEX new_email_is_unique ON customer_rows (email);
DROP INDEX email_is_unique;
ALTER INDEX new_email_is_unique RENAME TO email_is_unique;
