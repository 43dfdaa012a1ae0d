-- needs: PostgreSQL 18
-- Virtual columns, constraints that are not enforced, periods, and other news of PostgreSQL 15 to 18.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE virt (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (a * 2) VIRTUAL NOT NULL,
    c text GENERATED ALWAYS AS (coalesce(a::text, 'x')), CHECK (b < 100));
CREATE TABLE notenf (id int PRIMARY KEY, n int, v int REFERENCES virt NOT ENFORCED, CHECK (n > 0) NOT ENFORCED,
    CONSTRAINT nn NOT NULL n NO INHERIT);
CREATE TABLE price (item int, during daterange, amount int NOT NULL, PRIMARY KEY (item, during WITHOUT OVERLAPS));
CREATE TABLE sale (id int PRIMARY KEY, item int, day daterange, FOREIGN KEY (item, PERIOD day) REFERENCES price (item,
    PERIOD during));
CREATE TABLE nnd (a int, b text, UNIQUE NULLS NOT DISTINCT (a, b));
CREATE TABLE par (x int, y int, z int, PRIMARY KEY (x, y));
CREATE TABLE chi (x int, y int, FOREIGN KEY (x, y) REFERENCES par ON DELETE SET NULL (y) );
CREATE TABLE idp (id int GENERATED ALWAYS AS IDENTITY, k int NOT NULL, PRIMARY KEY (id, k)) PARTITION BY LIST (k);
CREATE TABLE idp1 PARTITION OF idp FOR VALUES IN (1, 2);
CREATE TABLE idp2 PARTITION OF idp DEFAULT;
CREATE TABLE exp (k int, r int4range, EXCLUDE USING gist (k WITH =, r WITH &&)) PARTITION BY LIST (k);
CREATE TABLE exp1 PARTITION OF exp FOR VALUES IN (1,2,3);
CREATE TABLE exp2 PARTITION OF exp DEFAULT;
CREATE TABLE nv (id int PRIMARY KEY, t text);
INSERT INTO nv VALUES (1, NULL);
ALTER TABLE nv ADD CONSTRAINT tn NOT NULL t NOT VALID;
CREATE TABLE uu (id uuid PRIMARY KEY DEFAULT uuidv7(), c text COLLATE pg_c_utf8 UNIQUE CHECK (casefold(c) = c));
