-- What steps add things to, of every kind; then what shows whether they are there.
CREATE TABLE items (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n int);
INSERT INTO items (n) SELECT n FROM generate_series(1, 30) AS n;
CREATE TABLE short (n int);
INSERT INTO short SELECT generate_series(1, 5);
CREATE TABLE log (entry text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO log VALUES (TG_NAME); RETURN NULL; END';
CREATE FUNCTION double(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';
CREATE TABLE parts (n int) PARTITION BY LIST (n);
CREATE TABLE first_part PARTITION OF parts FOR VALUES IN (1);
INSERT INTO parts VALUES (1);
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE VIEW evens AS SELECT n FROM items WHERE n % 2 = 0;
CREATE MATERIALIZED VIEW unread AS SELECT n FROM items WITH NO DATA;
CREATE ROLE pgfsm_additions;
