-- Tables that are named as what expressions of rules call their own values.
CREATE TABLE c (id int PRIMARY KEY, k text UNIQUE);
CREATE TABLE r (id int PRIMARY KEY, c int REFERENCES c, v text UNIQUE);
CREATE TABLE k (id int PRIMARY KEY, r int REFERENCES r ON DELETE CASCADE);
CREATE TABLE keys (id int PRIMARY KEY, k int REFERENCES k, e int REFERENCES keys);
CREATE TABLE e (id int PRIMARY KEY, keys int REFERENCES keys ON DELETE SET NULL, x int CHECK (x > 3));
CREATE TABLE x (id int PRIMARY KEY, e int REFERENCES e);
CREATE TABLE db (id int PRIMARY KEY, x int REFERENCES x);
