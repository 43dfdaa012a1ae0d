CREATE TABLE members (id integer PRIMARY KEY, zone text, eligible boolean);
