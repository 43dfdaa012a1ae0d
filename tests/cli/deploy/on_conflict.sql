CREATE TABLE preferences (
    person integer NOT NULL,
    name   text NOT NULL,
    value  integer NOT NULL,
    UNIQUE (person, name)
);
