#!/bin/sh
# planted_bugs.sh MACHINE [commit]
#
# The machine passes (by night, with $PGFSM_TEST_ALL, with as many examples as a run has by default; by day with 30), and
# every bug planted in its schema (tests/support/bugs.sh describes their files) - shows after the sequence in the head of
# its file, and not without the bug: pinned, and played by psql; - is found with the default settings, and shrunk to so
# many steps; - is not found in sequences shorter than that (by night: it takes a third of the time).
#
# One session does not find a race, a bug that only several sessions show (sql/races).
#
# The machine runs without its `schema:`, on databases that are made once: a scratch database for each of so many runs
# would take most of the time. The tests bench-shrink.* and tests/bench/find use more seeds.
#
# Where steps are committed (`commit`), a named database is not possible: each run has a scratch database, and the bug
# is in bug.sql, which is empty for the correct schema.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
machine=$1
commit=${2:+--commit}
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

complain() {
    echo "$machine: $1"
    cat report
    failed=1
}

# database NAME [FILE]: creates a database with the machine's schema and the planted bug.
database() {
    if [ -n "$commit" ]; then
        cat /dev/null ${2:+"$2"} >"$1.sql"
        return
    fi
    createdb "$1"
    machine_schema "$machine" >files
    [ -z "${2:-}" ] || echo "$2" >>files
    while read -r file; do
        psql -qX --set ON_ERROR_STOP=1 --dbname "$1" --file "$file"
    done <files
}

# run STATUS MACHINE-FILE DATABASE OPTION...
run() {
    wanted=$1 file=$2 database=$3
    shift 3
    status=0
    if [ -n "$commit" ]; then
        cp "$database.sql" bug.sql
        "$PROGRAM" run "$file" -d postgres --commit --apply bug.sql "$@" >report 2>&1 || status=$?
    else
        "$PROGRAM" run "$file" -d "$database" "$@" >report 2>&1 || status=$?
    fi
    [ "$status" = "$wanted" ] || complain "on $database $*: exit status $status, not $wanted"
}

# The machine with the shortest sequence of a bug pinned.
pin() {
    cp machine.yaml pinned.yaml
    grep -q '^examples:' machine.yaml || echo 'examples:' >>pinned.yaml
    {
        printf '  - name: the shortest of its kind\n    steps: |\n'
        bug_steps "$1" | sed 's/^/      /'
    } >example
    sed -i '/^examples:/r example' pinned.yaml
}

# replay STATUS DATABASE
replay() {
    status=0
    if [ -n "$commit" ]; then
        cp "$2.sql" bug.sql
        createdb played
        psql -qXAt --dbname played --file counterexamples/*.sql >report 2>&1 || status=$?
        dropdb played
    else
        psql -qXAt --dbname "$2" --file counterexamples/*.sql >report 2>&1 || status=$?
    fi
    [ "$status" = "$1" ] || complain "the replay script on $2: exit status $status, not $1"
}

# The sequence in the head shows the bug, is as short as possible, and passes without the bug.
head_is_true() {
    pin "$1"
    rm -rf counterexamples
    run 1 pinned.yaml "$1" --examples 0 --color never
    ! grep -q '^  a shorter form:' report || complain "there is a sequence shorter than that in the head of $1"
    steps=$(bug_steps "$1" | wc -l)
    [ "$steps" -eq "$2" ] || complain "the head of $1 has $steps steps, not $2"
    replay 3 "$1"
    replay 0 right
    run 0 pinned.yaml right --examples 0 --no-save
}

# Of several failures the shortest one counts: one bug may show in many ways.
shrunk_to() {
    sed -nE 's/^ *found in example .*\(([0-9]+) steps?\), seed [0-9]+$/\1/p
             s/^ *found in example .*shrunk to ([0-9]+) steps? .*/\1/p' report | sort -n | head -n 1
}

is_found() {
    run 1 machine.yaml "$1" --seed 1 --no-save --color never
    length=$(shrunk_to)
    [ "${length:-999}" -le "$2" ] || complain "$1: shrunk to ${length:-?} steps, not $2"
    # Uses a new database, because rows without ORDER BY may come in any order after a table was
    # vacuumed.
    [ "$2" -eq 1 ] || [ -z "$TEST_ALL" ] || {
        database "$1-shorter" "$top/sql/bugs/$1.sql"
        run 0 machine.yaml "$1-shorter" --seed 1 --no-save --steps $(($2 - 1))
    }
}

grep -v '^schema:' "$top/machines/$machine.yaml" >machine.yaml
[ -z "$commit" ] || {
    printf 'schema:\n'
    machine_schema "$machine" | sed 's/.*/  - "&"/'
} >>machine.yaml
few=
[ -n "$TEST_ALL" ] || few='--examples 30'
database right
# shellcheck disable=SC2086 # words
run 0 machine.yaml right --seed 1 --no-save --strict $few
for bug in $(bugs "$machine"); do
    shortest=$(bug_shortest "$bug")
    [ -n "$shortest" ] || {
        complain "the head of $bug has no line with its shortest sequence"
        continue
    }
    database "$bug" "$top/sql/bugs/$bug.sql"
    if [ -n "$commit" ] && ! bug_is_committed "$bug"; then
        run 0 machine.yaml "$bug" --seed 1 --no-save
        continue
    fi
    head_is_true "$bug" "$shortest"
    is_found "$bug" "$shortest"
done
for race in $(races "$machine"); do
    database "$race" "$top/sql/races/$race.sql"
    # shellcheck disable=SC2086 # words
    run 0 machine.yaml "$race" --seed 1 --no-save $few
done
exit "$failed"
