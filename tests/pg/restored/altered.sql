-- What steps change or drop, so that no rows bring it back.
CREATE TABLE items (id int PRIMARY KEY, n int, name text DEFAULT 'x', gone int);
INSERT INTO items SELECT n, n FROM generate_series(1, 10) AS n;
CREATE TABLE others (item int REFERENCES items, CONSTRAINT known CHECK (item > 0));
CREATE INDEX by_n ON items (n);
CREATE VIEW names AS SELECT name FROM items;
CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE parts (n int) PARTITION BY LIST (n);
CREATE TABLE first_part PARTITION OF parts FOR VALUES IN (1);
INSERT INTO parts VALUES (1);
CREATE MATERIALIZED VIEW sums AS SELECT sum(n) FROM items;
COMMENT ON TABLE items IS 'items';
CREATE SEQUENCE counter;
CREATE ROLE pgfsm_altered;
CREATE TEXT SEARCH CONFIGURATION own (COPY = simple);
SELECT lo_from_bytea(77777, '\x00');
