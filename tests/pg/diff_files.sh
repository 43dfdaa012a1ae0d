#!/bin/sh
# Every file of tests/diff loads after its schema, and again in a transaction of its own, as `pgfsm diff` may do between
# two steps of an example.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

# loads MACHINE FILE [OPTION...]: the schema is loaded once for each machine.
loads() {
    file=$2
    [ "$1" = "${loaded:-}" ] || {
        dropdb --if-exists schema 2>/dev/null
        createdb schema
        machine_schema "$1" >files
        while read -r path; do
            psql -qX --set ON_ERROR_STOP=1 --dbname schema --file "$path" >/dev/null
        done <files
        loaded=$1
    }
    shift 2
    createdb --template schema scratch
    psql -qX --set ON_ERROR_STOP=1 "$@" --dbname scratch --file "$file" >/dev/null 2>messages || {
        echo "$file does not load:"
        cat messages
        failed=1
    }
    dropdb scratch
}

for file in "$top"/tests/diff/bugs/*.sql "$top"/tests/diff/harmless/*/*.sql; do
    case $file in
    */bugs/*) machine=$(basename "$file" .sql) machine=${machine%%-*} ;;
    *) machine=$(basename "$(dirname "$file")") ;;
    esac
    loads "$machine" "$file"
    grep -q '^BEGIN;' "$file" || loads "$machine" "$file" --single-transaction
done
exit "$failed"
