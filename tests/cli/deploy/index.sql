CREATE TABLE people (id integer PRIMARY KEY, email text NOT NULL);
