CREATE TYPE state AS ENUM ('new', 'paid');
CREATE TABLE orders (id integer PRIMARY KEY, state state NOT NULL DEFAULT 'new');
