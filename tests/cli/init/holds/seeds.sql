-- Many rows are there before the first step: in partitions, under keys that can't be asked for in a list, under a key that a
-- trigger writes, in a table that inherits, and with a row that refers to itself.
CREATE TABLE readings (at timestamptz NOT NULL, sensor uuid NOT NULL, value double precision, PRIMARY KEY (sensor, at))
    PARTITION BY RANGE (at);
CREATE TABLE readings_old PARTITION OF readings FOR VALUES FROM (MINVALUE) TO ('2024-01-01');
CREATE TABLE readings_new PARTITION OF readings FOR VALUES FROM ('2024-01-01') TO (MAXVALUE);
INSERT INTO readings SELECT timestamptz '2023-12-25' + i * interval '1 hour', md5((i % 7)::text)::uuid, i / 3.0
FROM generate_series(1, 300) AS i;
CREATE TYPE size AS ENUM ('s', 'm', 'l');
CREATE TABLE sizes (size size, code char(6), label varchar(20) NOT NULL, PRIMARY KEY (size, code));
INSERT INTO sizes SELECT (ARRAY['s', 'm', 'l']::size[])[1 + i % 3], 'c' || i, 'Label ' || i FROM generate_series(1, 250) AS i;
CREATE TABLE people (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, chief bigint REFERENCES people, name text NOT NULL,
    upper_name text GENERATED ALWAYS AS (upper(name)) STORED);
INSERT INTO people (chief, name) SELECT nullif(i / 3, 0), 'Person ' || i FROM generate_series(1, 250) AS i;
CREATE TABLE guests (badge text UNIQUE) INHERITS (people);
INSERT INTO guests (id, name, badge) SELECT 10000 + i, 'Guest ' || i, 'b' || i FROM generate_series(1, 300) AS i;
CREATE TABLE slugs (slug text PRIMARY KEY, title text NOT NULL);
CREATE FUNCTION set_slug() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
    NEW.slug := lower(NEW.title); RETURN NEW;
END$$;
CREATE TRIGGER set_slug BEFORE INSERT ON slugs FOR EACH ROW EXECUTE FUNCTION set_slug();
INSERT INTO slugs (title) SELECT 'Title ' || i FROM generate_series(1, 250) AS i;
CREATE TABLE log (line text);
INSERT INTO log SELECT 'line ' || i FROM generate_series(1, 250) AS i;
