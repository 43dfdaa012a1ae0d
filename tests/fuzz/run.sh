#!/bin/sh
# run.sh SECONDS [TARGET...]
#
# Fuzzes all targets, or those given, for SECONDS each, as many at once as there are processors. Inputs that reach new
# code stay in build/fuzz/corpus, from which the next night starts. An input that crashes or hangs a target is kept in
# build/fuzz/found. To run it again: `build/fuzz/tests/fuzz/fuzz_NAME FILE` shows it.
set -eu

seconds=$1
shift
cd "$(dirname "$0")/../.."
cmake --preset fuzz >/dev/null
ninja -C build/fuzz fuzz_targets >/dev/null
[ $# -gt 0 ] || set -- body json lang machine psql_output regex trace
mkdir -p build/fuzz/found
for target; do
    mkdir -p "build/fuzz/corpus/$target"
done
cp machines/*.yaml tests/unit/machine/good/*.yaml build/fuzz/corpus/machine
cp tests/lang/*.test build/fuzz/corpus/lang
cp sql/*.sql sql/*/*.sql build/fuzz/corpus/body
cp docs/report.schema.json build/fuzz/corpus/json

# shellcheck disable=SC2016 # for the shell inside
printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME sh -c '
    build/fuzz/tests/fuzz/fuzz_$1 "build/fuzz/corpus/$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=20000 \
        -artifact_prefix="build/fuzz/found/$1-" -print_final_stats=1 >"build/fuzz/$1.log" 2>&1 || {
        echo "$1: see build/fuzz/found and build/fuzz/$1.log:"
        grep -E "ERROR|SUMMARY|Test unit written" "build/fuzz/$1.log"
        exit 1
    }
    echo "$1: $(sed -n "s/^stat::number_of_executed_units: *//p" "build/fuzz/$1.log") inputs"' sh NAME "$seconds"
