#!/bin/sh
# scores.sh [MACHINE...]
#
# Grades these machines, or all, and compares with their first lines: the number of mutants must be the same, and the
# score within two points. UPDATE=1 writes those lines.
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
    "$PROGRAM" mutate --embedded --seed 1 --color never --progress never "$name.yaml" | one_line >"$work/out"
    measured=$(sed -nE 's/^mutants  [^ ]+  ([0-9]+): (.*) of [0-9]+ graded, [^,]*$/# pgfsm mutate: \1 mutants: \2/p' "$work/out" | sed 's/100\.0 %/100 %/')
    stated=$(sed -n 1p "$name.yaml")
    if [ -n "${UPDATE:-}" ]; then
        case $stated in
        '# pgfsm mutate: '*) sed -i "1s/.*/$measured/" "$name.yaml" ;;
        *) sed -i "1i $measured" "$name.yaml" ;;
        esac
    elif ! printf '%s\n' "$stated" "$measured" | awk '
            { mutants[NR] = $4; score[NR] = $(NF - 1) }
            END { off = score[1] - score[2]; exit !(mutants[1] && mutants[1] == mutants[2] && off <= 2 && off >= -2) }'; then
        printf '%s: states   %s\n%s: measured %s\n' "$name" "$stated" "$name" "$measured"
        failed=1
    fi
done
exit "$failed"
