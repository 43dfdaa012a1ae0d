-- Objects that few schemas have, and such that few steps change.
CREATE ROLE pgfsm_rare;
CREATE TABLE base (id int PRIMARY KEY, n int);
INSERT INTO base VALUES (1, 1), (2, 2);
CREATE VIEW seen AS SELECT n FROM base;
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2';
-- A provider of labels would write these rows; SECURITY LABEL writes no others.
INSERT INTO pg_catalog.pg_seclabel VALUES
    ('base'::regclass, 'pg_class'::regclass, 0, 'dummy', 'secret'),
    ('base'::regclass, 'pg_class'::regclass, 2, 'dummy', 'classified'),
    ('twice'::regproc, 'pg_proc'::regclass, 0, 'dummy', 'unclassified');

CREATE DOMAIN small AS int DEFAULT 3 CONSTRAINT few CHECK (VALUE < 9);
CREATE TABLE of_domain (s small);
INSERT INTO of_domain VALUES (1);
CREATE TYPE pair AS (a int, b text);
CREATE TYPE span AS RANGE (SUBTYPE = int);
CREATE TABLE typed OF pair;
INSERT INTO typed VALUES (1, 'one');
CREATE TYPE shell;
CREATE CAST (pair AS text) WITH INOUT;
CREATE OPERATOR <<>> (LEFTARG = int, RIGHTARG = int, FUNCTION = int4ne, COMMUTATOR = <<>>);
CREATE OPERATOR CLASS backwards FOR TYPE int USING btree AS
    OPERATOR 1 >, OPERATOR 2 >=, OPERATOR 3 =, OPERATOR 4 <=, OPERATOR 5 <, FUNCTION 1 btint4cmp(int, int);
CREATE AGGREGATE total (int) (SFUNC = int4pl, STYPE = int);
CREATE COLLATION plain (LOCALE = 'C');
CREATE CONVERSION odd FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
CREATE ACCESS METHOD heaps TYPE TABLE HANDLER heap_tableam_handler;
CREATE TRUSTED LANGUAGE other HANDLER plpgsql_call_handler;
CREATE TEXT SEARCH DICTIONARY words (TEMPLATE = simple, STOPWORDS = english);
CREATE TEXT SEARCH CONFIGURATION own (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION own ALTER MAPPING FOR word WITH words;
CREATE FOREIGN DATA WRAPPER wrapper;
CREATE SERVER far FOREIGN DATA WRAPPER wrapper OPTIONS (host 'far');
CREATE USER MAPPING FOR pgfsm_rare SERVER far OPTIONS (password 'secret');
CREATE FOREIGN TABLE outside (n int OPTIONS (name 'm')) SERVER far OPTIONS (file 'f');
CREATE STATISTICS both_n (ndistinct) ON id, n FROM base;
CREATE STATISTICS of_sum ON (id + n) FROM base;
CREATE PUBLICATION rows FOR TABLE base;
CREATE RULE kept AS ON DELETE TO of_domain DO ALSO UPDATE base SET n = n;
ALTER DEFAULT PRIVILEGES FOR ROLE pgfsm_rare REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
CREATE FUNCTION on_drop() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
CREATE EVENT TRIGGER on_drop ON sql_drop WHEN TAG IN ('DROP TABLE') EXECUTE FUNCTION on_drop();
SELECT lo_from_bytea(99999, '\x01');
COMMENT ON CAST (pair AS text) IS 'of pairs';
COMMENT ON CONSTRAINT few ON DOMAIN small IS 'few';
COMMENT ON OPERATOR <<>> (int, int) IS 'not';
COMMENT ON SERVER far IS 'far';
COMMENT ON STATISTICS both_n IS 'both';
COMMENT ON EVENT TRIGGER on_drop IS 'drop';
