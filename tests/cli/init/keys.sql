-- Composite keys, a key of another order than its columns, self references, every ON DELETE, deferrable constraints.
CREATE TABLE region (
    country text, code text, name text NOT NULL,
    PRIMARY KEY (code, country)
);
CREATE TABLE person (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    handle text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED,
    boss int REFERENCES person ON DELETE SET NULL,
    mentor int REFERENCES person ON DELETE CASCADE,
    country text, code text,
    FOREIGN KEY (code, country) REFERENCES region MATCH FULL ON DELETE CASCADE
);
CREATE TABLE task (
    person int REFERENCES person ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    number smallint,
    reviewer int REFERENCES person ON DELETE RESTRICT,
    owner int NOT NULL REFERENCES person,
    fallback int DEFAULT 1 REFERENCES person ON DELETE SET DEFAULT,
    PRIMARY KEY (person, number)
);
CREATE TABLE note (
    person int, number smallint, body text,
    FOREIGN KEY (person, number) REFERENCES task ON DELETE SET NULL
);
