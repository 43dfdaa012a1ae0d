#!/bin/sh
# races.sh [SEED...]: each race of sql/races is found by two sessions and shrunk to the steps in its head, its trace
# fails again when it is replayed, and the machine's own schema passes. With SEEDs, it is found with each of them. Then
# the head has the shortest of all results, and no result is more than two steps longer.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
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

# Adds a line to `found`: the steps, switches and gates of the failure, and its steps as they are.
note_found() {
    steps=$(sed -nE 's/^ *found in example .*shrunk to ([0-9]+) steps? .*/\1/p; s/^ *found in example .* \(([0-9]+) steps?\), seed [0-9]+$/\1/p' report)
    switches=$(grep -c '^switch' .pgfsm/*/*.trace) || [ "$switches" = 0 ]
    gates=$(grep -c '^switch .* [1-9][0-9]*$' .pgfsm/*/*.trace) || [ "$gates" = 0 ]
    echo "$steps $switches $gates" "$(sed -nE 's/^  ([A-D]?[0-9]+  +[^ ].*)$/\1/p; /^  A  /q' report | tr '\n' ';' | tr -s ' ')" >>found
}

# race SEED RACE
race() {
    machine=${2%%-*}
    file=sql/races/$2.sql
    rm -rf .pgfsm
    run 1 run "machines/$machine.yaml" --apply "$file" --seed "$1" --examples 400
    case $2 in
    transfers-*) said='A1 transfer and B1 transfer deadlocked' ;;
    upsert-*) said='[AB]1 [a-z_]* raises unique_violation, which no order predicts' ;;
    *) said='.*: no order explains the answers' ;;
    esac
    grep -q "^FAIL  $machine  2 sessions: $said\$" report || fail "$2: another failure"
    note_found
    "$PROGRAM" run "machines/$machine.yaml" --apply "$file" --seed 1 --examples 1 -d postgres >report 2>&1 ||
        fail "$2: one session finds it"
    grep -q 'run with --sessions 2' report || fail "$2: not a word of the trace"
    run 1 replay .pgfsm/"$machine"/*.trace --machine "machines/$machine.yaml" --apply "$file"
}

# head_is_true RACE: the shortest of those in `found` is the one in its head.
head_is_true() {
    head=$(race_shortest "$1" | sed 's/[a-z,]//g' | tr -s ' ' | sed 's/ $//')
    head="$head $(race_steps "$1" | tr '\n' ';' | tr -s ' ')"
    echo "the head of $1: $head" >report
    sort -n -k1,1 -k2,2 -k3,3 found >>report
    grep -qxF "$head" found || fail "$1: the head has another shortest one"
    echo "$head" | cat - found | awk '
        NR == 1 { steps = $1; switches = $2; gates = $3 }
        $1 > steps + 2 || $1 < steps || ($1 == steps && ($2 < switches || ($2 == switches && $3 < gates))) { exit 1 }' ||
        fail "$1: there is a shorter one, or a far longer one"
    rm found
}

if [ $# -gt 0 ]; then
    # shellcheck disable=SC2119 # its argument is a machine
    for name in $(races); do
        for seed; do
            race "$seed" "$name"
        done
        head_is_true "$name"
    done
    # shellcheck disable=SC2119
    for machine in $(races | sed 's/-.*//'); do
        run 0 run "machines/$machine.yaml" --seed 1 --examples 1000
    done
    exit
fi
for name in claims-double-claim withdrawals-lost-update upsert-select-then-insert; do
    race 1 "$name"
    head_is_true "$name"
done
run 0 run machines/withdrawals.yaml --seed 1 --examples 10
grep -q '^ok  withdrawals' report || fail 'withdrawals does not hold'
