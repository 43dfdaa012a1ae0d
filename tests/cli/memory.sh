#!/bin/sh
# One request for memory fails, the first, the second, … of several commands: no hang, no abort, no false verdict,
# nothing left behind. The program reports the problem, and the exit status is that of a run that could not continue.
#
#     memory.sh SAMPLES     a sample of that many requests of each command, or "all" of them
#
# FAIL_ALLOCATION_LIBRARY is tests/support/fail_allocation.c. AddressSanitizer must be loaded before it, and reports
# memory as leaked if a process ends early.
set -u
. "$(dirname "$0")/common.sh"
samples=$1
export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0
common_begin
trap common_end EXIT
no_database

echo "CREATE TABLE t (id serial PRIMARY KEY, k numeric);" >kept.sql
cat >kept.yaml <<END
machine: kept
schema: kept.sql
model: |
  rows = {}
rules:
  add:
    args: {k: "integers(1, 5)"}
    sql: INSERT INTO t (k) VALUES (:k) RETURNING id
    target: ids
    model: rows[result.value] = k
  change:
    args: {id: ids, k: "decimals(0, 9.99)"}
    sql: UPDATE t SET k = :k WHERE id = :id
    model: rows[id] = k
invariants:
  same: {sql: "SELECT id, k FROM t", expect: "bag(rows.items())"}
END
sed 's/^machine: kept/machine: broken/; s/SET k = :k/SET k = :k::numeric + 1/' kept.yaml >broken.yaml

# Runs the command once for each request that must fail, only those inside the function FAIL_IN if it is set. USUAL is
# its status if no request fails.
sweep() { # USUAL WORD...
    usual=$1
    shift
    with="FAIL_COUNT=$DIR/count LD_PRELOAD=$FAIL_ALLOCATION_LIBRARY"
    runs "$usual" "$@"
    requests=$(cat count)
    [ "$requests" -gt 0 ] || complain "$said: no request for memory was seen"
    step=1
    [ "$samples" = all ] || step=$((requests / samples + 1))
    number=$((step / 2 + 1))
    while [ "$number" -le "$requests" ]; do
        status=0
        said="pgfsm $* (request $number of $requests)"
        timeout -s KILL 60 env FAIL_ALLOCATION="$number" LD_PRELOAD="$FAIL_ALLOCATION_LIBRARY" "$PROGRAM" "$@" \
            >out 2>err </dev/null || status=$?
        case $status in
        "$usual") out_lacks FLAKY ;;
        2 | 3) grep -qi memory err || complain "$said: memory is not what is blamed" ;;
        *)
            complain "$said: exit status $status"
            show
            ;;
        esac
        until_true nothing_left
        number=$((number + step))
    done
}

# Few steps, so that a test of all requests takes only some hours.
sweep 0 eval '[n * n for n in range(5)]'
sweep 0 eval '[(1 << 70 * n) * 3 for n in range(5)]' # by GMP
sweep 0 check kept.yaml
sweep 0 check --embedded kept.yaml
sweep 0 run --embedded --no-save --seed 1 --steps 10 --examples 2 kept.yaml
sweep 0 run --embedded --no-save --no-pipeline --seed 1 --steps 10 --examples 1 kept.yaml
sweep 0 run --embedded --no-save --seed 1 --steps 10 --examples 4 --jobs 2 kept.yaml
# libpq does not report a lack of memory for the end of a request or for a part of a connection URI. Runs without the
# cache, so that psql receives the URI.
for FAIL_IN in PQmakeEmptyPGresult PQconninfo PQconndefaults; do
    export FAIL_IN
    sweep 0 run --embedded --no-cache --no-save --seed 1 --examples 1 kept.yaml
done
# Nor for the ends that it is asked for instead. Only one in four of them is waited for.
[ "$samples" = all ] || samples=$((4 * samples))
export FAIL_IN=PQmakeEmptyPGresult FAIL_SPAN=3
sweep 0 run --embedded --no-save --seed 1 --examples 1 --steps 5 kept.yaml
unset FAIL_IN FAIL_SPAN
runs 1 run --embedded --seed 1 --examples 3 broken.yaml
sweep 1 replay --embedded counterexamples/broken-same.sql
finish
