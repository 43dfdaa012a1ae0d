-- says: columns guide.seen (pg_snapshot), which stay NULL
-- What the server computes may be NULL, or no value of its type: generated columns, defaults, triggers, functions.
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE TABLE event (
    id int PRIMARY KEY, value jsonb NOT NULL,
    tenant text NOT NULL GENERATED ALWAYS AS (value ->> 'tenant') STORED
);
CREATE TABLE team (id int PRIMARY KEY, name text);
CREATE TABLE seat (id int PRIMARY KEY, n int, team int GENERATED ALWAYS AS (n % 10) STORED REFERENCES team);
CREATE TABLE category (id int PRIMARY KEY, slug text NOT NULL, path ltree);
CREATE FUNCTION set_path() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.path := NEW.slug::ltree; RETURN NEW; END $$;
CREATE TRIGGER p BEFORE INSERT OR UPDATE ON category FOR EACH ROW EXECUTE FUNCTION set_path();
CREATE TABLE guide (id int PRIMARY KEY, words text, query tsquery GENERATED ALWAYS AS (words::tsquery) STORED, seen pg_snapshot);
CREATE TABLE note (
    id int PRIMARY KEY, owner int NOT NULL DEFAULT current_setting('jwt.claims.user_id')::int,
    tenant text NOT NULL DEFAULT current_setting('app.tenant', true), kind text
);
CREATE FUNCTION my_notes() RETURNS SETOF note LANGUAGE sql STABLE AS
    $$ SELECT * FROM note WHERE owner = current_setting('jwt.claims.user_id')::int $$;
CREATE FUNCTION find(what text) RETURNS SETOF note LANGUAGE sql STABLE AS
    $$ SELECT * FROM note WHERE to_tsvector('simple', kind) @@ to_tsquery('simple', what) $$;
CREATE FUNCTION size_of(what text) RETURNS bigint LANGUAGE sql STABLE AS 'SELECT pg_relation_size(what::regclass)';
CREATE FUNCTION known(kind text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF kind LIKE 'a%' THEN RAISE EXCEPTION 'unknown' USING ERRCODE = 'KN001'; END IF;
    RETURN true;
END $$;
ALTER TABLE note ADD CHECK (known(kind));
CREATE FUNCTION number_for() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT max(id) FROM team); END $$;
CREATE TABLE numbered (id int PRIMARY KEY, number int NOT NULL DEFAULT number_for(), x int DEFAULT 3);
