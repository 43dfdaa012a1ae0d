#!/bin/sh
# Every condition name and SQLSTATE of src/machine/conditions.c is the server's: PL/pgSQL catches an
# error of that SQLSTATE under that name.
set -eu

conditions=$(cd "$(dirname "$0")/../../src/machine" && pwd)/conditions.c
. "$(dirname "$0")/server.sh"

server_start socket
count=$(sed -n 's/^    {"\([a-z_]*\)", "\([0-9A-Z]*\)"},$/\1 \2/p' "$conditions" |
    tee "$SERVER_DIR/names" | wc -l)
[ "$count" -gt 200 ] || {
    echo "only $count conditions found in conditions.c"
    exit 1
}
{
    echo "DO 'BEGIN"
    sed "s/\(.*\) \(.*\)/BEGIN RAISE SQLSTATE ''\2''; EXCEPTION WHEN \1 THEN NULL; END;/" \
        "$SERVER_DIR/names"
    echo "END';"
} | psql -qX --set ON_ERROR_STOP=1
