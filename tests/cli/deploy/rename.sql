CREATE TABLE people (id integer PRIMARY KEY, mail text NOT NULL);
