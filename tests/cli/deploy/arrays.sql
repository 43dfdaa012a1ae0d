CREATE TABLE users (id integer PRIMARY KEY, tracked text[] NOT NULL DEFAULT '{}');
