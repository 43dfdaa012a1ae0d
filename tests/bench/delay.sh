#!/bin/sh
# Data of any size passes through the delaying proxy unchanged and late, in both directions. $DELAY is the program.
set -eu

. "$(dirname "$0")/../pg/server.sh"
server_start socket
mkdir "$SERVER_DIR/slow"
proxy=$("$DELAY" "$SERVER_DIR/slow/.s.PGSQL.$PGPORT" "$PGHOST/.s.PGSQL.$PGPORT" 5)
trap 'kill "$proxy"; server_stop' EXIT
fails() {
    echo "$1" >&2
    exit 1
}

# 8 MB there as a parameter and back as a result.
echo "\\set text \`head -c 6000000 /dev/urandom | base64 --wrap=0 | tee '$SERVER_DIR/sent'\`" >"$SERVER_DIR/echo.sql"
echo "SELECT :'text';" >>"$SERVER_DIR/echo.sql"
psql -qXAt --host "$SERVER_DIR/slow" --file "$SERVER_DIR/echo.sql" | tr -d '\n' >"$SERVER_DIR/received"
cmp "$SERVER_DIR/sent" "$SERVER_DIR/received" || fails 'not what was sent'
[ "$(wc -c <"$SERVER_DIR/received")" -eq 8000000 ] || fails 'not as much as was sent'

# Twenty round trips of twice 5 ms: however busy the machine is, not sooner.
i=0
while [ $((i += 1)) -le 20 ]; do
    echo 'SELECT 1;'
done >"$SERVER_DIR/twenty.sql"
begin=$(date +%s%N)
psql -qXAt --host "$SERVER_DIR/slow" --file "$SERVER_DIR/twenty.sql" >/dev/null
took=$((($(date +%s%N) - begin) / 1000000))
[ "$took" -ge 200 ] || fails "twenty round trips took $took ms only"

# If one connection is closed, the others continue. If the server is gone, the client is notified.
psql -qXAt --host "$SERVER_DIR/slow" --command 'SELECT 1' >/dev/null
server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$SERVER_DIR/data"
! psql -qXAt --host "$SERVER_DIR/slow" --command 'SELECT 1' 2>/dev/null || fails 'answered without a server'
