-- strict
-- Columns that are computed from members of a JSON column, and may not be NULL: rows need these members.
CREATE TABLE work (
    id int PRIMARY KEY, doc jsonb NOT NULL,
    name text NOT NULL GENERATED ALWAYS AS (doc ->> 'name') STORED,
    urgent bool NOT NULL GENERATED ALWAYS AS (CAST(doc ->> 'urgent' AS bool)) STORED,
    tries int NOT NULL GENERATED ALWAYS AS ((doc -> 'tries')::int) STORED,
    slot int UNIQUE
);
CREATE FUNCTION day_of(day text) RETURNS date LANGUAGE sql IMMUTABLE AS 'SELECT to_date(day, ''YYYY-MM-DD'')';
CREATE TABLE visit (
    id int PRIMARY KEY, "the doc" json NOT NULL,
    day date NOT NULL GENERATED ALWAYS AS (day_of("the doc" ->> 'day')) STORED,
    work int NOT NULL REFERENCES work ON DELETE CASCADE,
    seat int CHECK (seat > 0)
);
