#!/bin/sh
# `pgfsm diff` leaves nothing behind on a named server when it is interrupted: while the second side opens, while the
# migration runs between two steps, and while the new side alone runs a statement.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
named="-h $PGHOST -p $PGPORT -U $PGUSER -d $PGDATABASE"
unset PGHOST PGPORT PGUSER PGDATABASE

ask() {
    # shellcheck disable=SC2086 # words
    psql -qXAt $named --command "$1"
}
databases() { ask 'SELECT datname FROM pg_database ORDER BY 1'; }
sleeping() { ask "SELECT 'sleeping' FROM pg_stat_activity WHERE wait_event = 'PgSleep'" | grep -q sleeping; }
idle() { ! ask "SELECT application_name FROM pg_stat_activity" | grep -q pgfsm; }
before=$(databases)

schema() { # BODY
    echo 'CREATE TABLE t (id int);'
    echo "CREATE FUNCTION add(n int) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN $1 RETURN n; END \$\$;"
}
schema '' >old.sql
schema 'PERFORM pg_sleep(90);' >hangs.sql
echo 'SELECT pg_sleep(90);' >sleeps.sql
cat >waits.sql <<'END_SQL'
DO $$ BEGIN IF EXISTS (SELECT FROM t) THEN PERFORM pg_sleep(90); END IF; END $$;
END_SQL
cat >m.yaml <<'END_YAML'
machine: m
settings: {statement_timeout: 100s}
rules:
  note: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t VALUES (:n)"}
  add: {args: {n: "integers(1, 9)"}, sql: "SELECT add(:n)"}
END_YAML

interrupts() { # WORD...
    # shellcheck disable=SC2086 # words
    begin diff m.yaml $named --schema old.sql --seed 1 --examples 40 --steps 8 "$@"
    until_true sleeping
    kill -s INT $!
    ends 130
    until_true idle
    [ "$(databases)" = "$before" ] || complain "$said: left $(databases)"
    left_nothing
}
interrupts --new-schema sleeps.sql
interrupts --apply waits.sql
interrupts --apply waits.sql --commit
interrupts --new-schema hangs.sql
interrupts --new-schema hangs.sql --jobs 2
finish
