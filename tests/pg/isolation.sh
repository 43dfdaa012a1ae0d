#!/bin/sh
# The races of sql/races, and the schemas without them, as PostgreSQL's isolationtester sees them; pgfsm has no part in
# this. Each tests/sessions/NAME.spec plays one schedule on the schema of the machine that its name begins with, and on
# the same schema with each race planted. tests/sessions/out has the expected output of NAME and of the race; UPDATE=1
# writes it.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
sessions=$top/tests/sessions
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

for tester in "$SERVER_BIN"/../lib/pgxs/src/test/isolation/isolationtester \
    "$SERVER_BIN"/../lib/postgresql/pgxs/src/test/isolation/isolationtester; do
    [ ! -x "$tester" ] || break
done
[ -x "$tester" ] || {
    echo "isolationtester is not installed beside this PostgreSQL"
    exit 77
}

# load NAME: loads the files that standard input lists into a new schema.
load() {
    export PGOPTIONS="-c search_path=\"$1\""
    sed 's/^/\\i /' >files
    psql -qX --set ON_ERROR_STOP=1 --command "CREATE SCHEMA \"$1\"" --file files
}

# play SPEC SCHEMA OUT
play() {
    PGOPTIONS="-c search_path=\"$2\"" "$tester" dbname=postgres <"$sessions/$1.spec" >report 2>&1 ||
        echo "exit status $?" >>report
    if [ -n "${UPDATE:-}" ]; then
        cp report "$sessions/out/$3.txt"
    elif ! diff "$sessions/out/$3.txt" report >difference 2>&1; then
        echo "$1 on $2:"
        cat difference
        failed=1
    fi
}

for machine in $(races | sed 's/-.*//' | sort -u); do
    machine_schema "$machine" | load "$machine"
    for race in $(races "$machine"); do
        { machine_schema "$machine" && echo "$top/sql/races/$race.sql"; } | load "$race"
    done
    for spec in "$sessions/$machine"*.spec; do
        name=$(basename "$spec" .spec)
        play "$name" "$machine" "$name"
        for race in $(races "$machine"); do
            play "$name" "$race" "$race${name#"$machine"}"
        done
    done
done
exit "$failed"
