-- Three numbers, each of which can be set to one more than the one before it.
CREATE TABLE numbers (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0);
INSERT INTO numbers VALUES (0), (1), (2);
