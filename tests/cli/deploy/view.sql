CREATE TABLE orders (id integer PRIMARY KEY, total integer NOT NULL);
CREATE VIEW order_list AS SELECT id, total FROM orders;
GRANT SELECT ON order_list TO pg_monitor;
