CREATE TABLE users (id integer PRIMARY KEY);
CREATE TABLE orders (id integer PRIMARY KEY, person integer);
