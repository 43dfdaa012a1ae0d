#!/bin/sh
# Checks on this server what docs/LIMITS.md says about transactions and sessions.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
cp -R "$(cd "$(dirname "$0")" && pwd)/limits" "$SERVER_DIR"
cd "$SERVER_DIR/limits"
failed=0

examples=20
# run STATUS MACHINE [TEXT]: checks the exit status, and that the report contains TEXT.
run() {
    status=0
    "$PROGRAM" run "$2.yaml" --seed 1 --examples "$examples" --no-save --strict >report 2>&1 || status=$?
    if [ "$status" != "$1" ] || { [ -n "${3:-}" ] && ! grep -q "$3" report; }; then
        echo "$2: exit status $status, not $1, or the report does not say: ${3:-}"
        cat report
        failed=1
    fi
}

run 0 limits 'ON COMMIT actions never happen'
run 0 kept_modes
sed 's/check_deferred: never/check_deferred: end/' kept_modes.yaml >at_end.yaml
run 0 at_end
run 0 clock
for machine in session lock sequence; do
    run 1 "$machine" 'it did not fail on a new connection'
done
run 1 statistics
run 0 currval
sed 's/^model/settings: {transactions: commit}\nmodel/' currval.yaml >currval_committed.yaml
run 0 currval_committed
if [ -n "$(psql -qXAtc "SELECT 1 FROM pg_available_extensions WHERE name = 'dblink'")" ]; then
    examples=$(by_day 2 20) # each step connects
    run 0 others
    run 1 committed 'nothing'
    examples=20
    # A statement that waits for itself is cancelled. In a named database, no other session is
    # cancelled.
    run 1 waits 'a statement waited for itself'
    createdb named
    psql -qXd named -f waits.sql
    "$PROGRAM" run waits.yaml --no-schema -d named --seed 1 --examples 1 --no-save >report 2>&1 &
    until pid=$(sed -n 's/.*no answer comes, and process \([0-9]*\) waits.*/\1/p' report) && [ -n "$pid" ]; do
        kill -0 $! 2>/dev/null || break
    done
    while kill -0 $! 2>/dev/null; do
        psql -qXAtc "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'" >canceled
    done
    wait $! && failed=1
    grep -q 'SELECT pg_cancel_backend' report || {
        echo 'nobody is told of a statement that waits for itself'
        cat report
        failed=1
    }
fi

# A machine can't say these; a file of its schema can.
for statement in COMMIT 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE' "PREPARE TRANSACTION 'x'" 'VACUUM parent' \
    'CREATE INDEX CONCURRENTLY ON parent (created_at)' 'CREATE DATABASE x' 'PREPARE p AS SELECT 1' 'DISCARD ALL'; do
    printf 'machine: refused\nrules:\n  r:\n    sql: %s\n' "$statement" >refused.yaml
    ! "$PROGRAM" check refused.yaml >report 2>&1 || {
        echo "not refused: $statement"
        failed=1
    }
done
printf 'CREATE TABLE v (a integer);\nVACUUM v;\nCREATE INDEX CONCURRENTLY ON v (a);\n' >allowed.sql
printf 'machine: allowed\nschema: allowed.sql\nrules:\n  r: {sql: SELECT * FROM v}\n' >allowed.yaml
run 0 allowed
exit "$failed"
