-- items: rule read_deleted does not raise the expected error, in step 3.
--
--     SELECT read_item(:item)
--   expected  no_data_found (P0002)
--   actual    no error
--
-- Found by pgfsm in example 1 of seed 1 (5 steps), shrunk to 3.
-- Stated in machines/items.yaml:52.
--
-- To run it, in an empty database:
--     psql -X -f counterexamples/items-read_deleted-no_data_found-did-not-come.sql
-- or, on a server started for it: pgfsm replay counterexamples/items-read_deleted-no_data_found-did-not-come.sql
-- It prints TAP and rolls back all that it did. Exit status: 3 while the bug is there, 0 once it is fixed.

\set ON_ERROR_STOP on
\set ON_ERROR_ROLLBACK off
\encoding UTF8
\o /dev/null
\echo 1..1

BEGIN READ WRITE;
SET LOCAL client_min_messages = warning;
-- Runs SQL that may fail, and says how. Without an error `raised` is 00000.
CREATE FUNCTION pg_temp.attempt(sql pg_catalog.text, OUT raised pg_catalog.text, OUT message pg_catalog.text)
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE sql;
    raised := '00000';
    message := '';
EXCEPTION WHEN OTHERS OR query_canceled OR assert_failure THEN
    raised := SQLSTATE;
    message := SQLERRM;
END $$;
\ir ../sql/items.sql
RESET ALL; RESET ROLE;
\ir ../sql/bugs/items-soft-delete.sql
RESET ALL; RESET ROLE;
SET LOCAL client_encoding = 'UTF8'; SET LOCAL client_min_messages = error;
SET LOCAL standard_conforming_strings = on; SET LOCAL array_nulls = on; SET LOCAL row_security = on;
SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;

-- 1  live_1 = create(name="0")
WITH answer (create_item) AS (
    SELECT create_item('0')
)
SELECT pg_catalog.quote_nullable(create_item) AS live_1 FROM answer
\gset

-- 2  deleted_1 = delete(item=live_1)
SELECT delete_item(:live_1);

-- 3  read_deleted(item=deleted_1)
-- expected: no_data_found (P0002)
SELECT * FROM pg_temp.attempt(pg_catalog.format($step$
SELECT read_item(%s);
$step$, :'live_1'))
\gset
ROLLBACK;
SET search_path = pg_catalog, pg_temp;
SELECT :'raised' = 'P0002' AS ok,
       CASE :'raised' WHEN '00000' THEN 'no error'
           ELSE 'SQLSTATE ' || :'raised' || ', ' || regexp_replace(:'message', '[[:cntrl:][:space:]]+', ' ', 'g')
       END AS got
\gset
RESET search_path;

\if :ok
\echo 'ok 1 - items: rule read_deleted: no_data_found did not come'
\else
\echo 'not ok 1 - items: rule read_deleted: no_data_found did not come'
\echo '# expected no_data_found (P0002), got' :got
\set VERBOSITY terse
DO $$ BEGIN RAISE 'the bug is there'; END $$;
\endif
