#!/bin/sh
# truth.sh MACHINE
#
# Grades a machine, and compares the verdicts with truth/MACHINE.tsv, in which a person judged each mutant of its
# schema. Equivalent mutants must not be killed, and at least 95 % of the others must be.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
truth=$here/truth/$1.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset PGFSM_SEED PGFSM_EXAMPLES PGFSM_STEPS PGFSM_JOBS
"$PROGRAM" mutate --embedded --seed 1 --verbose --color never --progress never "$here/../../machines/$1.yaml" >"$work/out"

# id, operator, verdict: as printed for those that survived, and for the others
sed -nE -e 's/^survived  ([0-9a-f]{8})  ([^ ]+).*/\1\t\2\tsurvived/p' \
    -e 's/^ {4}([a-z ]*[a-z]) +([0-9a-f]{8})  ([^ ]+)  .*/\2\t\3\t\1/p' "$work/out" >"$work/verdicts"

awk -F'\t' -v truth="$truth" '
    FILENAME == truth && !/^#/ {
        judged[$1] = $4
        what[$1] = $2 "  " $3 ": " $5
        if (NF != 5 || $2 == "" || $5 == "" || $4 != "equivalent" && $4 != "different")
            complain($1 ": want id, operator, object, equivalent or different, and a reason")
        operator[$1] = $2
    }
    FILENAME == truth { next }
    $1 in graded { next } # said again: it is killed, though the machine accepts it
    !($1 in judged) { complain($1 "  " $2 ": nobody judged it"); next }
    { graded[$1] = $3 }
    operator[$1] != $2 { complain($1 ": " $2 " is judged as " operator[$1]) }
    judged[$1] == "equivalent" {
        equivalent++
        if ($3 == "killed") complain($1 "  " what[$1] ", but it is killed")
    }
    judged[$1] == "different" && $3 == "equivalent" { complain($1 "  " what[$1] ", but is said to be equivalent") }
    judged[$1] == "different" && $3 != "stillborn" {
        different++
        if ($3 == "killed") killed++
        else printf "%s %s  %s\n", $3, $1, what[$1]
    }
    END {
        for (id in judged) if (!(id in graded)) complain(id "  " what[id] ": there is no such mutant")
        printf "%d equivalent; of %d others %d killed\n", equivalent, different, killed
        if (!different || killed < 0.95 * different) complain("fewer than 95 %")
        exit failed
    }
    function complain(text) { print text; failed = 1 }
' "$truth" "$work/verdicts"
