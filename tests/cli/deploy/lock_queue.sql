CREATE TABLE orders (id integer PRIMARY KEY, total integer NOT NULL);
