#!/bin/sh
# clock_machines.sh TOP [SEEDS]
#
# The machines of machines/clock: each passes, and every bug planted in its schema is found from SEEDS seeds and shrunk
# to the steps in the head of its file. Pinned, these steps show the bug, and so does the replay script. Without the
# bug, both pass.
set -u
. "$(dirname "$0")/common.sh"
top=$1/machines/clock
seeds=${2:-1}
. "$1/tests/support/bugs.sh"
common_begin
trap common_end EXIT
no_database
mkdir sql
cp "$top"/*.yaml .
cp "$top"/sql/*.sql sql

shrunk_to() { sed -nE 's/^ *found in example .*shrunk to ([0-9]+) steps? .*/\1/p' out; }

pin() {
    cp "$1.yaml" pinned.yaml
    {
        printf 'examples:\n  - name: the shortest of its kind\n    steps: |\n'
        bug_steps "$2" | sed 's/^/      /'
    } >>pinned.yaml
}

for path in *.yaml; do
    machine=$(basename "$path" .yaml)
    for seed in $(seq "$seeds"); do
        runs 0 run "$machine.yaml" --seed "$seed" --no-save --strict
    done
    for bug in $(bugs "$machine"); do
        shortest=$(bug_shortest "$bug")
        cp "$top/sql/bugs/$bug.sql" bug.sql
        for seed in $(seq "$seeds"); do
            runs 1 run "$machine.yaml" --seed "$seed" --no-save --apply bug.sql --examples 1000
            [ "$(shrunk_to)" = "$shortest" ] || complain "$bug: seed $seed: shrunk to $(shrunk_to) steps, not $shortest"
        done
        pin "$machine" "$bug"
        [ "$(bug_steps "$bug" | wc -l)" = "$shortest" ] || complain "the head of $bug has not $shortest steps"
        rm -rf counterexamples
        runs 1 run pinned.yaml --examples 0 --apply bug.sql
        out_lacks 'a shorter form'
        runs 1 replay counterexamples/*.sql
        : >bug.sql
        runs 0 replay counterexamples/*.sql
        runs 0 run pinned.yaml --examples 0 --no-save
    done
    rm -f pinned.yaml
done
left_nothing
finish
