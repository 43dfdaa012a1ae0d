-- Names, types and values that are seldom met. Each file beside it changes one thing that a client sees.
CREATE SCHEMA "s% \ ""'
x";
CREATE TABLE "s% \ ""'
x"."t% d\ ""';--
	😀 $1 :a :'b' {c}" ("id %s" int PRIMARY KEY, "q""'
\n 😀" text, "x:y" int DEFAULT 1, "$1" int, ":n" int, "{}" int, "a.b" int);
CREATE TABLE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg (aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg serial PRIMARY KEY, aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggh int DEFAULT 3);
CREATE TABLE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggh (id serial PRIMARY KEY, n int);
CREATE FUNCTION aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg(aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggg int, aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggh int) RETURNS int LANGUAGE sql AS 'SELECT $1 * $2';
CREATE TABLE names (ctid_ int, pgfsm_place int, pgfsm int, t int PRIMARY KEY, new int, "column" int, key int, channel text, payload text DEFAULT 'p', result int, r int, rows_by_key int, known int, nth int);
CREATE TABLE result (id int PRIMARY KEY, forget int); CREATE TABLE known (id int PRIMARY KEY, n int); CREATE TABLE pgfsm (id int PRIMARY KEY);
CREATE TABLE "new" (new int PRIMARY KEY, "to" int); CREATE TABLE "row" (id int PRIMARY KEY); CREATE TABLE "or" (id int PRIMARY KEY, "not" int);
CREATE FUNCTION now(as_role int, set_app int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TYPE pt AS (x int, y text);
CREATE DOMAIN dpt AS pt CHECK ((VALUE).x > 0 OR (VALUE).x IS NULL);
CREATE DOMAIN dpts AS dpt[];
CREATE TYPE nest AS (a dpts, b numrange, c int4multirange);
CREATE DOMAIN dnest AS nest;
CREATE TABLE composites (id int PRIMARY KEY, p dpt, ps dpts, n dnest, ns dnest[]);
CREATE FUNCTION first(k dpts) RETURNS dpt LANGUAGE sql AS 'SELECT k[1]';
CREATE FUNCTION mk(i int) RETURNS dnest LANGUAGE sql AS $$ SELECT ROW(ARRAY[ROW(i * i + 1, 'z')::dpt]::dpts, numrange(1.50, 2), '{[1,3),[5,7)}'::int4multirange)::dnest $$;
CREATE TABLE odd (id int PRIMARY KEY, f float8, g float4, n numeric, ts timestamptz, d date, i interval, j json, b bytea, r tstzrange, m nummultirange, x bit(3), c char(3), nm name, mo money, inet inet, pt point, tsv tsvector, lsn pg_lsn, xm xml);
INSERT INTO odd VALUES (1, 'NaN', '-0', 'NaN', '-infinity', 'infinity', '1 mon -1 day', '{"a": "\u0000"}', '\x00ff', '[,infinity)', '{[1,2),[3,)}', B'101', 'a', 'n', '-1', '::1', '(0,-0)', 'a b', '0/1', '<a/>'),
 (2, 'Infinity', '-Infinity', 'Infinity', '0044-03-15 BC', '4713-01-01 BC', '-178000000 years', '{"a": 1e400, "a": 2}', '', 'empty', '{}', B'000', '', '', '0', '10.0.0.0/8', '(NaN,Infinity)', '', 'F/F', '<a>x</a>') ;
CREATE FUNCTION z() RETURNS float8 LANGUAGE sql AS $$ SELECT '-0'::float8 $$;
CREATE FUNCTION bc() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '0044-03-15 BC'::timestamptz $$;
CREATE FUNCTION nj() RETURNS json LANGUAGE sql AS $$ SELECT '{"a": "\u0000"}'::json $$;
CREATE FUNCTION inf() RETURNS date LANGUAGE sql AS $$ SELECT 'infinity'::date $$;
CREATE FUNCTION nan() RETURNS numeric LANGUAGE sql AS $$ SELECT 'NaN'::numeric $$;
CREATE FUNCTION bin() RETURNS bytea LANGUAGE sql AS $$ SELECT '\x00ff'::bytea $$;
CREATE TABLE nothing (); CREATE TABLE t (id int PRIMARY KEY); CREATE VIEW nv AS SELECT FROM t;
CREATE FUNCTION addn() RETURNS bigint LANGUAGE sql AS 'INSERT INTO nothing DEFAULT VALUES; SELECT count(*) FROM nothing';
CREATE TABLE p (id int, k int NOT NULL, g int GENERATED ALWAYS AS (k * 2) STORED, PRIMARY KEY (id, k)) PARTITION BY LIST (k);
CREATE TABLE p1 PARTITION OF p FOR VALUES IN (0, 1, 2, 3); CREATE TABLE pd PARTITION OF p DEFAULT;
CREATE TABLE a (id int PRIMARY KEY, x int); CREATE TABLE b (y int DEFAULT 1) INHERITS (a);
CREATE UNLOGGED TABLE u (id int PRIMARY KEY, x int); CREATE TEMP TABLE tmp (id int);
CREATE EXTENSION IF NOT EXISTS file_fdw; CREATE SERVER f FOREIGN DATA WRAPPER file_fdw; CREATE FOREIGN TABLE ft (a text) SERVER f OPTIONS (program 'echo 1');
