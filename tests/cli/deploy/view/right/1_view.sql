ALTER TABLE orders ADD COLUMN status text;
DROP VIEW order_list;
CREATE VIEW order_list AS SELECT id, status, total FROM orders;
GRANT SELECT ON order_list TO pg_monitor;
