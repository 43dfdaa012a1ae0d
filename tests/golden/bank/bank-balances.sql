-- bank: invariant balances does not hold after step 3.
--
--     SELECT id, balance FROM accounts
--   expected  1 row
--   actual    1 row
--       instead of  id=accounts_1, balance=1
--       there is    id=accounts_1, balance=2
--
-- Found by pgfsm in example 1 of seed 1 (3 steps), shrunk to 3.
-- Stated in machines/bank.yaml:28.
--
-- To run it, in an empty database:
--     psql -X -f counterexamples/bank-balances.sql
-- or, on a server started for it: pgfsm replay counterexamples/bank-balances.sql
-- It prints TAP and rolls back all that it did. Exit status: 3 while the bug is there, 0 once it is fixed.

\set ON_ERROR_STOP on
\set ON_ERROR_ROLLBACK off
\encoding UTF8
\o /dev/null
\echo 1..1

BEGIN READ WRITE;
SET LOCAL client_min_messages = warning;
\ir ../machines/bank.sql
RESET ALL; RESET ROLE;
SET LOCAL client_encoding = 'UTF8'; SET LOCAL client_min_messages = error;
SET LOCAL standard_conforming_strings = on; SET LOCAL array_nulls = on; SET LOCAL row_security = on;
SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1;

-- 1  accounts_1 = open()
WITH answer (id) AS (
    INSERT INTO accounts DEFAULT VALUES RETURNING id
)
SELECT pg_catalog.quote_nullable(id) AS accounts_1 FROM answer
\gset

-- 2  deposit(account=accounts_1, amount=1)
UPDATE accounts SET balance = balance + '1' WHERE id = :accounts_1;

-- 3  transfer(source=accounts_1, destination=accounts_1, amount=1)
SELECT transfer(:accounts_1, :accounts_1, '1');

-- invariant balances
-- expect: balances
WITH actual (id, balance) AS (
    SELECT id, balance FROM accounts
), expected (id, balance) AS (
    VALUES (:accounts_1::integer, 1::bigint)
), missing AS (
    TABLE expected EXCEPT ALL TABLE actual
), unexpected AS (
    TABLE actual EXCEPT ALL TABLE expected
)
SELECT NOT EXISTS (TABLE missing) AND NOT EXISTS (TABLE unexpected) AS ok,
       (SELECT coalesce(pg_catalog.string_agg(pg_catalog.row_to_json(missing)::pg_catalog.text, ', '), 'none') FROM missing) AS missing,
       (SELECT coalesce(pg_catalog.string_agg(pg_catalog.row_to_json(unexpected)::pg_catalog.text, ', '), 'none') FROM unexpected) AS unexpected
\gset
ROLLBACK;
RESET search_path;

\if :ok
\echo 'ok 1 - bank: invariant balances'
\else
\echo 'not ok 1 - bank: invariant balances'
\echo '# missing rows:   ' :missing
\echo '# unexpected rows:' :unexpected
\set VERBOSITY terse
DO $$ BEGIN RAISE 'the bug is there'; END $$;
\endif
