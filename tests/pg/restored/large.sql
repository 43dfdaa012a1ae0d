-- Tables of more rows than are written anew.
CREATE TABLE same (n int, pad text); -- rows that are equal, and no key
INSERT INTO same SELECT n % 10, 'row' FROM generate_series(1, 4000) AS n;
CREATE TABLE keyed (
    id int PRIMARY KEY,
    gone int,
    name text UNIQUE,
    twice int GENERATED ALWAYS AS (id * 2) STORED,
    number int GENERATED ALWAYS AS IDENTITY,
    body text
);
INSERT INTO keyed (id, name, body)
SELECT n, 'name ' || n, CASE WHEN n % 500 = 0 THEN repeat(n::text, 3000) END FROM generate_series(1, 2000) AS n;
ALTER TABLE keyed DROP COLUMN gone;
ALTER TABLE keyed ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE refers (id int REFERENCES keyed ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO refers SELECT n FROM generate_series(1, 2000) AS n;
CREATE TABLE parts (n int, side text) PARTITION BY LIST (side);
CREATE TABLE lefts PARTITION OF parts FOR VALUES IN ('left');
CREATE TABLE rights PARTITION OF parts FOR VALUES IN ('right');
INSERT INTO parts SELECT n, CASE WHEN n % 2 = 0 THEN 'left' ELSE 'right' END FROM generate_series(1, 4000) AS n;
CREATE TABLE ancestor (n int);
CREATE TABLE descendant (m text) INHERITS (ancestor);
INSERT INTO ancestor SELECT n FROM generate_series(1, 1500) AS n;
INSERT INTO descendant SELECT n, 'descendant' FROM generate_series(1, 1500) AS n;
CREATE UNLOGGED TABLE unlogged (n int);
INSERT INTO unlogged SELECT n FROM generate_series(1, 1500) AS n;
CREATE TABLE moved (n int);
INSERT INTO moved SELECT n FROM generate_series(1, 1500) AS n;
