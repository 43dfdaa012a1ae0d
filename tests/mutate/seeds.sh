#!/bin/sh
# seeds.sh [MACHINE...]
#
# Grades these machines, or all, from 20 seeds (SEEDS). From the best seed to the worst the score differs by two points at
# most. A line for each machine: mutants, the lowest score and the highest, and from how many seeds which mutants survived.
set -eu
machines=$(cd "$(dirname "$0")/../../machines" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

unset PGFSM_SEED PGFSM_EXAMPLES PGFSM_STEPS PGFSM_JOBS
cd "$machines"
if [ $# = 0 ]; then
    set -- *.yaml
fi
# A long summary is two lines.
one_line() { sed -z 's/;\n  score /; score /g'; }

for name; do
    name=${name%.yaml}
    : >"$work/all"
    seed=1
    while [ "$seed" -le "${SEEDS:-20}" ]; do
        "$PROGRAM" mutate --embedded --seed "$seed" --color never --progress never "$name.yaml" | one_line >>"$work/all"
        seed=$((seed + 1))
    done
    sed -n 's/^mutants .*  \([0-9]*\): .*score \([0-9.]*\) %.*/\1 \2/p' "$work/all" | awk -v seeds="${SEEDS:-20}" -v name="$name" '
        NR == 1 { least = most = $2 }
        $2 < least { least = $2 }
        $2 > most { most = $2 }
        END {
            printf "%s: %d mutants, score %.1f to %.1f\n", name, $1, least, most
            exit NR != seeds || most - least > 2
        }' || failed=1
    sed -n 's/^survived  /    survived: /p' "$work/all" | sort | uniq -c | sort -rn
done
exit "$failed"
