#!/bin/sh
# Every mutant of the schema of every machine, planted: the server accepts it, no two are equal, and its rollback leaves
# nothing. mutants/ has more schemas, in the style of other projects.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
. "$here/server.sh"
server_start socket
failed=0

for family in "$root"/src/pg/sql/mutate/*.sql; do
    printf '%sSELECT * FROM (' "${union:-}"
    cat "$family"
    printf ') AS %s' "$(basename "$family" .sql)"
    union=' UNION ALL '
done >"$SERVER_DIR/query"

# plant NAME FILE...
plant() {
    name=$1
    shift
    {
        printf '%s\n' BEGIN\; 'SET client_min_messages = warning;'
        printf '\\i %s\n' "$@"
        # shellcheck disable=SC2016 # psql's
        printf '%s\n' 'RESET ALL;' '\i dump.sql' '\set query `cat "$SERVER_DIR/query"`' '\i all.sql'
    } | psql -qXAt --set ON_ERROR_STOP=1 >"$SERVER_DIR/found"
    echo "$name: $(tail -n 1 "$SERVER_DIR/found")"
    if [ "$(wc -l <"$SERVER_DIR/found")" != 1 ]; then
        cat "$SERVER_DIR/found"
        failed=1
    fi
}

export SERVER_DIR
cd "$here/mutants"
for machine in "$root"/machines/*.yaml; do
    files=$(sed -n 's/^schema: *//p' "$machine" | tr -d '[],')
    set --
    for file in $files; do
        set -- "$@" "$root/machines/$file"
    done
    [ $# -eq 0 ] || plant "$(basename "$machine")" "$@"
done
plant accounts "$root/sql/supabase.sql" accounts.sql
plant operations operations.sql
exit "$failed"
