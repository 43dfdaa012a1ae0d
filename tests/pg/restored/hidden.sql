-- What defines something, and has no word that says so in a text of the schema.

CREATE TABLE plain (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0);
INSERT INTO plain VALUES (1), (2);
CREATE SCHEMA collations;
