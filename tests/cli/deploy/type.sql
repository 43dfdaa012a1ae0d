CREATE TABLE stock (id integer PRIMARY KEY, quantity integer NOT NULL);
