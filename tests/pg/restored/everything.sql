-- Tables that are written to in every way that there is.
CREATE TABLE kinds (kind text PRIMARY KEY);
INSERT INTO kinds SELECT 'kind ' || n FROM generate_series(1, 5) AS n;

-- Cascades, triggers, generated columns, identities, rows that are the same.
CREATE TABLE parents (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text REFERENCES kinds ON UPDATE CASCADE ON DELETE CASCADE,
    twice int GENERATED ALWAYS AS (n * 2) STORED,
    n int NOT NULL,
    gone int
);
ALTER TABLE parents DROP COLUMN gone;
CREATE TABLE children (
    parent int REFERENCES parents ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    tags text[] DEFAULT '{"a,b", NULL, "c\"d"}',
    doc json DEFAULT '{"a": [1, null]}',
    at timestamptz DEFAULT now(),
    x float8 DEFAULT 0.1,
    "odd ""name" text
);
INSERT INTO parents (kind, n) SELECT 'kind ' || (n % 5 + 1), n FROM generate_series(1, 20) AS n;
INSERT INTO children (parent, "odd ""name") SELECT n % 20 + 1, 'same' FROM generate_series(1, 40) AS n;
INSERT INTO children VALUES (NULL, NULL, NULL, NULL, NULL, NULL), (NULL, '{}', 'null', NULL, 'NaN', '');
CREATE TABLE one (x text);
INSERT INTO one VALUES (NULL), (NULL), (''), ('a');
CREATE TABLE log (id serial, entry text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    BEGIN
        INSERT INTO log (entry) VALUES (TG_TABLE_NAME || ' ' || TG_OP);
    EXCEPTION WHEN OTHERS THEN NULL;
    END;
    RETURN NULL;
END $$;
CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON parents FOR EACH ROW EXECUTE FUNCTION note();
CREATE TRIGGER cleared AFTER TRUNCATE ON log EXECUTE FUNCTION note();
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON children DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION note();

-- Many rows, some of them the same.
CREATE TABLE many (n int, pad text);
INSERT INTO many SELECT n / 2, 'row' FROM generate_series(1, 3000) AS n;

-- A view, a rule, partitions, inheritance, a check that the rows of the mark break.
CREATE VIEW big AS SELECT * FROM many WHERE n > 1000;
CREATE TABLE parts (n int, side text) PARTITION BY RANGE (n);
CREATE TABLE low PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (0);
CREATE TABLE high PARTITION OF parts FOR VALUES FROM (0) TO (MAXVALUE);
INSERT INTO parts VALUES (-1, 'l'), (1, 'h');
CREATE TABLE ancestor (n int);
CREATE TABLE descendant (m int) INHERITS (ancestor);
INSERT INTO ancestor VALUES (1);
INSERT INTO descendant VALUES (2, 3);
CREATE TABLE redirected (n int);
CREATE RULE elsewhere AS ON INSERT TO redirected DO INSTEAD INSERT INTO ancestor VALUES (NEW.n);
CREATE TABLE checked (n int);
INSERT INTO checked VALUES (-1);
ALTER TABLE checked ADD CONSTRAINT positive CHECK (n > 0) NOT VALID;

-- What no row puts back.
CREATE MATERIALIZED VIEW sums AS SELECT sum(n) FROM many;
CREATE TABLE watched (n int);
INSERT INTO watched VALUES (1);
CREATE TABLE seen (n int);
CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen VALUES (1); RETURN NULL; END';
CREATE TRIGGER always AFTER DELETE ON watched FOR EACH ROW EXECUTE FUNCTION see();
ALTER TABLE watched ENABLE ALWAYS TRIGGER always;
CREATE SEQUENCE odd INCREMENT 3 CACHE 10;
-- A table of the catalog without OIDs that has many rows, and is known to.
SELECT format('CREATE SEQUENCE sequence_%s', n) FROM generate_series(1, 50) AS n \gexec
ANALYZE pg_catalog.pg_sequence;
CREATE TYPE mood AS ENUM ('happy');
CREATE TABLE owned (n int);
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
ALTER TABLE owned FORCE ROW LEVEL SECURITY;
INSERT INTO owned VALUES (1);
