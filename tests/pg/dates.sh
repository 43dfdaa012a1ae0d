#!/bin/sh
# Our arithmetic of dates, times and intervals agrees with the server's in thousands of generated cases. $DATES writes
# them; its first argument is their number (by kind), its second the seed.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
"$DATES" "${1:-1500}" ${2:+"$2"} >"$SERVER_DIR/dates.sql"
# PostgreSQL 18 gives an interval weeks, and a negative one other quarters.
[ "$SERVER_MAJOR" -lt 18 ] || sed -i "/extract(\(week\|quarter\) FROM '[^']*'::interval)/d" "$SERVER_DIR/dates.sql"
psql -qXAt --file "$SERVER_DIR/dates.sql" >"$SERVER_DIR/answers"
cases=$(grep -c "^SELECT .*$(printf '\t')" "$SERVER_DIR/dates.sql")
if [ "$(cat "$SERVER_DIR/answers")" != "$cases" ]; then
    echo "SQL | ours | the server's (at most 20), then the number of cases, which is $cases:"
    cut -c 1-2000 "$SERVER_DIR/answers"
    exit 1
fi
