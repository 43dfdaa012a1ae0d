#!/bin/sh
# A hot standby answers, and can't be written to: pgfsm says so. With both servers in the address, it takes the primary.
# shellcheck disable=SC2317 # functions that the trap calls
set -u
machines=$(cd "$(dirname "$0")/../../machines" && pwd)
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/../cli/common.sh"
server_start socket
common_begin
trap 'standby_stop; common_end; server_stop' EXIT
standby=$SERVER_DIR/standby
standby_stop() {
    [ ! -f "$standby/postmaster.pid" ] ||
        server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$standby"
}
port=$((SERVER_PORT + 1))
server_as_user "$SERVER_BIN/pg_basebackup" -h "$SERVER_SOCKET" -p "$SERVER_PORT" -U postgres -D "$standby" \
    --write-recovery-conf --checkpoint=fast --no-sync
server_as_user "$SERVER_BIN/pg_ctl" start --wait --silent --pgdata="$standby" --log="$SERVER_DIR/standby.log" \
    --options="-p $port -k '$SERVER_SOCKET' -c listen_addresses='' -c fsync=off" >/dev/null 2>&1 || {
    cat "$SERVER_DIR/standby.log"
    exit 1
}
items=$machines/items.yaml
for words in "run $items" "run $items --in-place" "run $items --sessions 2" "check $items" "mutate $items" init; do
    # shellcheck disable=SC2086
    runs 3 $words -p $port
    err 'the server is a standby, which can'"'"'t be written to: database postgres at'
    err 'hint: name its primary'
done
runs 0 run "$items" --examples 1 --no-save \
    -d "host=$PGHOST,$PGHOST port=$port,$PGPORT target_session_attrs=read-write dbname=postgres user=postgres"
left_nothing
finish
