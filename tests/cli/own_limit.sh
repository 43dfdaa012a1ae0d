#!/bin/sh
# What statement_timeout ends, and what only looks like it: the message names the limit if the limit was the cause.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >machine.yaml <<'END'
machine: waiting
settings: {statement_timeout: 300ms}
rules: {look: {sql: SELECT 1}}
END
runs 0 run machine.yaml -d postgres --no-save --examples 1

# Another session keeps a relation of the catalog that only such a query reads.
mkfifo statements
psql -qX <statements >/dev/null 2>&1 &
exec 9>statements
echo 'BEGIN; LOCK TABLE pg_catalog.pg_foreign_table IN ACCESS EXCLUSIVE MODE;' >&9
echo '\! touch locked' >&9
until_true test -e locked
runs 2 run machine.yaml -d postgres --no-save --examples 1
err "a query of pgfsm's own took longer than statement_timeout, 300 ms: give the machine more in its settings"
exec 9>&-
wait

# One that lists mutants: those that were listed before are not told.
psql -qX <<'END'
CREATE TABLE listed (n int CHECK (n > 0));
CREATE TABLE held (n int);
CREATE VIEW waiting AS SELECT n FROM held WHERE n > 0;
END
rm locked
psql -qX <statements >/dev/null 2>&1 &
exec 9>statements
echo 'BEGIN; LOCK TABLE held IN ACCESS EXCLUSIVE MODE;' >&9
echo '\! touch locked' >&9
until_true test -e locked
runs 2 mutate machine.yaml -d postgres --list
err "a query of pgfsm's own took longer than statement_timeout, 300 ms: give the machine more in its settings"
out_lacks listed
exec 9>&-
wait

# An error of the same code is a time limit's only if the server cancelled the statement for it.
cat >raised.sql <<'END'
CREATE FUNCTION raised() RETURNS int LANGUAGE plpgsql AS
$$BEGIN RAISE 'not today' USING ERRCODE = '57014'; END$$;
CREATE FUNCTION again() RETURNS int LANGUAGE plpgsql AS
$$BEGIN RETURN raised(); EXCEPTION WHEN query_canceled THEN RAISE; END$$;
CREATE FUNCTION late() RETURNS int LANGUAGE plpgsql AS
$$BEGIN PERFORM pg_sleep(10); RETURN 1; EXCEPTION WHEN query_canceled THEN RAISE; END$$;
CREATE FUNCTION told() RETURNS int LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_sleep(10); RETURN 1;
EXCEPTION WHEN query_canceled THEN RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM; END$$;
END
while IFS='|' read -r sql told; do
    cat >raised.yaml <<END
machine: raised
schema: raised.sql
settings: {statement_timeout: 300ms}
rules: {look: {sql: "$sql"}}
END
    runs 1 run raised.yaml --no-save --examples 1
    out "rule look (step 1) $told"
done <<'END'
SELECT raised()|raised query_canceled: not today
SELECT again()|raised query_canceled: not today
SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(0.1)|raised query_canceled: canceling statement due to user request
SELECT late()|took longer than 300 ms
SELECT told()|took longer than 300 ms
END

# A cancel of pgfsm's own is no failure either, though a function raises it again.
sed -i s/300ms/1min/ raised.yaml
runs 5 run raised.yaml --no-save --examples 1 --max-time 500ms
out_lacks FAIL
finish
