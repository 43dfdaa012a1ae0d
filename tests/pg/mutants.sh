#!/bin/sh
# Each family of src/pg/sql/mutate/ has a schema, mutants/FAMILY.sql, and a list of the mutants that it must yield:
# mutants/FAMILY.MAJOR.txt, for that version of PostgreSQL and later ones, with a line for each mutant:
#
#   operator | object | becomes | what it changed besides the object, or why it is equivalent
#
# Each mutant is planted and rolled back. It must change only its object.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
queries=$here/../../src/pg/sql/mutate
. "$here/server.sh"
server_start socket
failed=0

cd "$here/mutants"
for query in "$queries"/*.sql; do
    family=$(basename "$query" .sql)
    printf '%s\n' BEGIN\; "\\i $family.sql" '\i dump.sql' "\\set query \`cat $query\`" '\i apply.sql' |
        psql -qXAt --set ON_ERROR_STOP=1 >"$SERVER_DIR/found"
    for list in "$family".*.txt; do
        since=${list#*.}
        [ "${since%.txt}" -gt "$SERVER_MAJOR" ] || cat "$list"
    done | LC_ALL=C sort >"$SERVER_DIR/expected"
    LC_ALL=C sort "$SERVER_DIR/found" | diff "$SERVER_DIR/expected" - >"$SERVER_DIR/differences" || {
        echo "$family: '<' is expected, '>' is what came:"
        cat "$SERVER_DIR/differences"
        failed=1
    }
done
exit "$failed"
