-- Rows are there before the first step, too many to be compared after each one: with a key of one column and of two, with
-- policies, and without a key.
DO $$BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'seeds_reader') THEN CREATE ROLE seeds_reader; END IF;
END$$;
CREATE TABLE countries (code text PRIMARY KEY, name text NOT NULL UNIQUE, region text NOT NULL DEFAULT 'none');
CREATE TABLE cities (
    country text REFERENCES countries ON DELETE CASCADE,
    no int,
    name text NOT NULL,
    people int CHECK (people >= 0),
    PRIMARY KEY (country, no),
    UNIQUE (country, name)
);
CREATE TABLE offices (id int PRIMARY KEY, country text, city int, owner text NOT NULL,
    FOREIGN KEY (country, city) REFERENCES cities ON DELETE SET NULL);
CREATE TABLE visits (office int REFERENCES offices ON DELETE CASCADE, note text);
INSERT INTO countries (code, name) SELECT 'c' || i, 'Country ' || i FROM generate_series(1, 400) AS i;
INSERT INTO cities SELECT 'c' || (1 + i % 400), i, 'City ' || i, i FROM generate_series(1, 2000) AS i;
INSERT INTO offices SELECT i, 'c' || (1 + i % 400), i, 'o' || i % 5 FROM generate_series(1, 500) AS i;
INSERT INTO visits SELECT i, 'visit ' || i FROM generate_series(1, 400) AS i;
ALTER TABLE offices ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON offices TO seeds_reader USING (owner = current_setting('app.owner', true));
GRANT ALL ON ALL TABLES IN SCHEMA public TO seeds_reader;
