#!/bin/sh
# A statement that ends its own connection: the run ends with status 3 and keeps the trace. If a new connection is
# possible, it also writes a script that loses its connection, and no longer does so after the bug is fixed. If
# statements were sent ahead, answers that had already arrived may be lost with the connection: the step that ended it
# is still found. Also tests a server that crashes, and one that is gone.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
createdb empty

cat >schema.sql <<'END'
CREATE TABLE t (n int);
CREATE TABLE parents (id int PRIMARY KEY);
CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
CREATE FUNCTION put(k int) RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES (k) RETURNING n';
CREATE FUNCTION look() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM t';
END
ends='
    IF (SELECT count(*) FROM t) >= 2 THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
        PERFORM pg_sleep(10); -- it ends in here
    END IF;'
rule="CREATE OR REPLACE FUNCTION look() RETURNS bigint LANGUAGE plpgsql AS \$\$ BEGIN $ends
    RETURN (SELECT count(*) FROM t);
END \$\$;"
deferred="CREATE FUNCTION later() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN $ends
    RETURN NULL;
END \$\$;
CREATE CONSTRAINT TRIGGER later AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION later();"

fix=
# loses NAME BUG STEPS IDENTITY [OPTION...] < MACHINE: in `pgfsm run` with the bug, step by step and ahead, and by
# its script; with $fix in the bug's place not.
loses() {
    name=$1
    { printf 'machine: %s\nschema: schema.sql\n' "$name" && cat; } >"$name.yaml"
    loses_so "$@" --no-pipeline
    loses_so "$@"
}

loses_so() {
    bug=$2
    steps=$3
    script=counterexamples/$name-$4.sql
    shift 4
    rm -rf .pgfsm counterexamples
    printf '%s\n' "$bug" >bug.sql
    with=PGDATABASE=postgres
    runs 3 run "$name.yaml" --apply bug.sql --seed 1 "$@"
    out "the server closed the connection"
    out "replay   $PROGRAM replay $script"
    err "the connection to the database was lost"
    [ "$(grep -c '^-- [0-9]' "$script")" = "$steps" ] || complain "$name: not $steps steps in $script"
    [ -e ".pgfsm/$name" ] || complain "$name: no trace is kept"
    with=PGDATABASE=empty
    runs 1 replay "$script"
    out "not ok 1 - the server closed the connection"
    [ "$(grep -vc '^#' out)" = 2 ] || show
    err "server closed the connection"
    status=0
    psql -X -d empty -f "$script" >out 2>err || status=$?
    [ "$status" = 2 ] || complain "$name: psql's exit status is $status, not 2"
    printf '%s\n' "$fix" >bug.sql
    with=PGDATABASE=empty
    runs 0 replay "$script"
    out "ok 1 - $name"
}
loses rule "$rule" 3 look-connection-lost --rule put --rule look <<'END'
model: |
  n = 0
rules:
  put: {precondition: n < 2, args: {k: "integers(0, 9)"}, sql: SELECT put(:k), model: n += 1}
  look: {precondition: n == 2, sql: SELECT look()}
END
loses check "$rule" 2 look-connection-lost <<'END'
rules:
  put: {args: {k: "integers(0, 9)"}, sql: SELECT put(:k)}
invariants:
  look: {sql: SELECT look() < 100, expect: True}
END
fix=$(printf '%s\n' "$deferred" | sed 's/>= 2/< 0/')
loses deferred "$deferred" 2 put-connection-lost <<'END'
rules:
  put: {args: {k: "integers(0, 9)"}, sql: SELECT put(:k)}
END

# If a step fails before the connection ends, that is the failure, and the run continues.
printf '%s\n' "$rule" >bug.sql
cat >before.yaml <<'END'
machine: before
schema: schema.sql
model: |
  n = 0
rules:
  put: {precondition: n < 2, args: {k: "integers(0, 9)"}, sql: SELECT put(:k), model: n += 1}
  look: {precondition: n == 2, sql: SELECT look()}
invariants:
  few: {sql: SELECT count(*) FROM t, check: result.value < 2}
END
with=PGDATABASE=postgres
for way in "" --no-pipeline "--jobs 2" "--jobs 3"; do
    # shellcheck disable=SC2086 # words
    runs 1 run before.yaml --apply bug.sql --seed 1 --no-save $way
    out "FAIL  before  invariant few after put (step 2): result.value is 2, should be < 2"
    [ "$(grep -c ^FAIL out)" = 1 ] || show
done

# The server crashes, or is gone, and then there is no other connection. The trace is kept.
no_database
gone() { # SQL of the process that is killed
    cat >gone.sql <<END_OF_SQL
CREATE FUNCTION go() RETURNS void LANGUAGE plpgsql AS \$\$
BEGIN
    EXECUTE format('COPY (SELECT 1) TO PROGRAM %L', 'cat >/dev/null; kill -9 ' || $1);
    PERFORM pg_sleep(10);
END \$\$;
END_OF_SQL
    cat >gone.yaml <<'END'
machine: gone
schema: gone.sql
rules:
  go: {sql: SELECT go()}
END
    rm -rf .pgfsm
    runs 3 run gone.yaml --embedded --seed 1
    out "FAIL  gone  rule go (step 1): the server closed the connection"
    [ "$(find .pgfsm -name '*.trace' | wc -l)" = 1 ] || complain "no trace is kept"
}
gone 'pg_backend_pid()'
gone "split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"
out "no script: the server went away"
until_true nothing_left
left_nothing
finish
