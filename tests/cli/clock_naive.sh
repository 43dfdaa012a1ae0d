#!/bin/sh
# Finds defects at boundaries of time with machines that wait for any time: those of clock_naive/, and those of
# machines/clock whose waits are made plain.
#   clock_naive.sh MACHINE SEEDS [EXAMPLES [LOOK]]
# Each bug must be found from each of the seeds 1 to SEEDS, in the default number of examples or in LOOK; the right
# schema must hold over EXAMPLES examples.
# PROGRAM is the program.
set -eu

here=$(cd "$(dirname "$0")" && pwd)/clock_naive
machine=$1
seeds=$2
examples=${3:-}
look=${4:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
: "${PROGRAM:?}"

plain='      by: timedeltas("00:00:00", "30 days")'
if [ -e "$here/$machine.yaml" ]; then
    folder=$here
else
    folder=$here/../../../machines/clock
fi
# Replaces the last argument `by`, which may take several lines, up to `advance`.
awk -v plain="$plain" '
    /^    advance: by/ { skip = 0 }
    !skip && /^    args: \{by:/ { print "    args:"; print plain; next }
    !skip && /^      by: \|/ { print plain; skip = 1; next }
    !skip { print }' "$folder/$machine.yaml" >"$work/$machine.yaml"
grep -qF "$plain" "$work/$machine.yaml"
ln -s "$folder/sql" "$work/sql"
cd "$work"

status=0
for bug in "$folder/sql/$machine"-*.sql "$folder/sql/bugs/$machine"-*.sql; do
    [ -e "$bug" ] || continue
    missed=
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        found=0

        "$PROGRAM" run "$machine.yaml" --apply "$bug" --examples "$look" --seed "$seed" --embedded --no-save >out 2>&1 || found=$?
        [ "$found" -eq 1 ] || missed="$missed $seed"
        seed=$((seed + 1))
    done
    echo "$(basename "$bug" .sql): found from $((seeds - $(echo "$missed" | wc -w))) of $seeds seeds${missed:+, not from$missed}"
    [ -z "$missed" ] || status=1
done
if [ -n "$examples" ] && ! "$PROGRAM" run "$machine.yaml" --examples "$examples" --seed 1 --embedded --no-save >out 2>&1; then
    cat out
    status=1
fi
exit "$status"
