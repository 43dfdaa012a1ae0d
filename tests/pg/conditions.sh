#!/bin/sh
# Every condition name and SQLSTATE of src/machine/conditions.c is the server's: PL/pgSQL catches an
# error of that SQLSTATE under that name.
set -eu

# Names that some supported versions lack: the first version that has the name, and the last one (0
# if it still exists).
came_and_went='
sql_json_item_cannot_be_cast_to_target_type 15 0
snapshot_too_old 0 16
transaction_timeout 17 0
invalid_argument_for_xquery 18 0
file_name_too_long 18 0'

conditions=$(cd "$(dirname "$0")/../../src/machine" && pwd)/conditions.c
. "$(dirname "$0")/server.sh"

server_start socket
count=$(sed -n 's/^    {"\([a-z_]*\)", "\([0-9A-Z]*\)"},$/\1 \2/p' "$conditions" |
    tee "$SERVER_DIR/names" | wc -l)
[ "$count" -gt 200 ] || {
    echo "only $count conditions found in conditions.c"
    exit 1
}
echo "$came_and_went" | while read -r name first last; do
    if [ "$SERVER_MAJOR" -lt "${first:-0}" ] || [ "$SERVER_MAJOR" -gt "$((${last:-0} ? last : 99))" ]; then
        sed -i "/^$name /d" "$SERVER_DIR/names"
    fi
done
{
    echo "DO 'BEGIN"
    sed "s/\(.*\) \(.*\)/BEGIN RAISE SQLSTATE ''\2''; EXCEPTION WHEN \1 THEN NULL; END;/" \
        "$SERVER_DIR/names"
    echo "END';"
} | psql -qX --set ON_ERROR_STOP=1
