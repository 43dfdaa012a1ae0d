CREATE TABLE members (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL
);
CREATE VIEW listed AS SELECT id, lower(name) AS name FROM members;
