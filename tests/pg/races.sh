#!/bin/sh
# races.sh [SEED...]: each race of sql/races is found by two sessions and shrunk to two steps, its trace fails again when
# it is replayed, and the machine's own schema holds. Where SEEDs are given: from each of them.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
top=$(cd "$(dirname "$0")/../.." && pwd)
cp -r "$top/machines" "$top/sql" .

fail() {
    echo "$1"
    cat report
    exit 1
}

# run STATUS OPTION...
run() {
    wanted=$1
    shift
    status=0
    "$PROGRAM" "$@" --sessions 2 -d postgres --color never >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted"
}

# race SEED FILE: two steps at most, but where the machine has to begin with something.
race() {
    machine=$(basename "$2" | sed 's/-.*//')
    rm -rf .pgfsm
    run 1 run "machines/$machine.yaml" --apply "$2" --seed "$1" --examples 400
    grep -q '2 sessions: no serial order explains this' report || fail "$2: another failure"
    grep -q 'shrunk to [23] steps' report || fail "$2: not shrunk"
    "$PROGRAM" run "machines/$machine.yaml" --apply "$2" --seed 1 --examples 1 -d postgres >report 2>&1 ||
        fail "$2: one session finds it"
    grep -q 'run with --sessions 2' report || fail "$2: not a word of the trace"
    run 1 replay .pgfsm/"$machine"/*.trace --machine "machines/$machine.yaml" --apply "$2"
}

if [ $# -gt 0 ]; then
    for seed; do
        for file in sql/races/*.sql; do
            race "$seed" "$file"
        done
    done
    for file in sql/races/*.sql; do
        run 0 run "machines/$(basename "$file" | sed 's/-.*//').yaml" --seed 1 --examples 1000
    done
    exit
fi
for name in claims-double-claim withdrawals-lost-update upsert-select-then-insert; do
    race 1 "sql/races/$name.sql"
done
run 0 run machines/withdrawals.yaml --seed 1 --examples 10
grep -q '^ok  withdrawals' report || fail 'withdrawals does not hold'
