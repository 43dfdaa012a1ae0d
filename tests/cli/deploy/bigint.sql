CREATE TABLE events (id serial PRIMARY KEY, what text NOT NULL);
