#!/bin/sh
# pgfsm replay distinguishes a bug from a script that could not run. The command that a report prints works unchanged,
# even if the named database already contains the schema.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT
psql -qX --set ON_ERROR_STOP=1 <<'END'
CREATE ROLE joe LOGIN CREATEDB PASSWORD 'secret';
CREATE DATABASE joes OWNER joe;
CREATE DATABASE place;
CREATE DATABASE bare;
END
cat >schema.sql <<'END'
CREATE TABLE t (n int);
CREATE FUNCTION put(n int) RETURNS void LANGUAGE sql AS 'INSERT INTO t VALUES (n)';
END
echo "CREATE OR REPLACE FUNCTION put(n int) RETURNS void LANGUAGE sql AS 'SELECT'" >bug.sql
cat >put.yaml <<'END'
machine: put
schema: schema.sql
model: count = 0
rules:
  put: {args: {n: "integers(0, 9)"}, sql: "SELECT put(:n)", model: count += 1}
invariants:
  count: {sql: SELECT count(*) FROM t, expect: count}
END
script=counterexamples/put-count.sql

# Runs the report's command as it is printed, and checks its exit status with the bug and without it.
printed() { # words: of the run
    runs 1 run put.yaml --apply bug.sql --seed 1 "$@"
    rm -rf .pgfsm
    command=$(sed -n 's/^  replay   //p' out)
    cp bug.sql kept.sql
    ends_with 1 '^not ok 1 - put'
    : >bug.sql
    ends_with 0 '^ok 1 - put'
    mv kept.sql bug.sql
}
ends_with() { # STATUS LINE
    said=$command
    status=0
    sh -c "$command" >out 2>err </dev/null || status=$?
    if [ "$status" != "$1" ] || ! grep -q "$2" out; then
        complain "$command: status $status, not $1, or no $2"
        show
    fi
}
psql -qX -d place -f schema.sql
PGPASSWORD=secret psql -qX -h 127.0.0.1 -U joe -d joes -f schema.sql
printed --embedded
printed -d place
PGPASSWORD=secret
export PGPASSWORD
printed -d joes -h 127.0.0.1 -p "$SERVER_PORT" -U joe
unset PGPASSWORD
(
    export PGDATABASE=place
    printed
    exit "$checks_failed"
) || checks_failed=1
printed --in-place -d bare
grep -q '^-- To run it, in the database that it was found in' $script || complain "the head does not say where"

# Not there to be asked: no verdict.
breaks() { # STATUS TEXT words
    wanted=$1
    text=$2
    shift 2
    runs "$wanted" replay "$@" $script
    out "Bail out! can't run $script"
    ! grep -q '^\(not \)\?ok' out || complain "$said: a verdict"
    err "$text"
}
breaks 2 'already exists' -d place
runs 1 run put.yaml --apply bug.sql --seed 1
cp schema.sql kept.sql
echo 'CREATE TABBLE u (n int);' >>schema.sql
for words in "--embedded" "-d place" "-d postgresql://joe:secret@127.0.0.1:$SERVER_PORT/joes"; do
    # shellcheck disable=SC2086 # words
    breaks 2 'syntax error at or near "TABBLE"' $words
done
printf '%s\n' '\echo not ok 1 - forged' >schema.sql
echo 'CREATE TABBLE u (n int);' >>schema.sql
runs 2 replay $script -d place || complain "forged"
mv schema.sql gone.sql
breaks 2 'No such file or directory' -d place
{ cat kept.sql; echo 'SET ROLE nobody_at_all;'; } >schema.sql
breaks 2 'role "nobody_at_all" does not exist' -d place
{ cat kept.sql; echo 'SELECT pg_terminate_backend(pg_backend_pid());'; } >schema.sql
breaks 3 'the connection was lost' -d place
breaks 3 'could not reach the database' -h "$DIR/nowhere"
left_nothing
finish
