#!/bin/sh
# Our arithmetic agrees with the server's, digit for digit, in thousands of generated cases.
# $NUMBERS writes them; its first argument is their number (by kind), its second the seed.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
"$NUMBERS" "${1:-1500}" ${2:+"$2"} >"$SERVER_DIR/numbers.sql"
# Our numbers are written as PostgreSQL 15 reads them; 16 reads more.
[ "$SERVER_MAJOR" -lt 16 ] || sed -i "/'0x10'::numeric/d; /'1_000'::numeric/d" "$SERVER_DIR/numbers.sql"
psql -qXAt --file "$SERVER_DIR/numbers.sql" >"$SERVER_DIR/answers"
cases=$(grep -c "^SELECT .*$(printf '\t')" "$SERVER_DIR/numbers.sql")
if [ "$(cat "$SERVER_DIR/answers")" != "$cases" ]; then
    echo "SQL | ours | the server's (at most 20), then the number of cases, which is $cases:"
    cut -c 1-2000 "$SERVER_DIR/answers"
    exit 1
fi
