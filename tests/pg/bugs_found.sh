#!/bin/sh
# Every planted bug is found with the default settings, from each of 20 seeds, but not in sequences
# shorter than its shortest. Without a bug every machine holds.
#
# The machines run without their `schema:`, on databases that are made once for all seeds: a scratch
# database for each of so many runs would take most of the time.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

# database NAME SCHEMA [BUG]
database() {
    createdb "$1"
    psql -qX --set ON_ERROR_STOP=1 --dbname "$1" --file "$top/sql/$2.sql" \
        ${3:+--file "$top/sql/bugs/$3.sql"}
}

# runs STATUS SEEDS MACHINE DATABASE OPTION...: from each seed up to SEEDS.
runs() {
    wanted=$1 seeds=$2 machine=$3 database=$4
    shift 4
    grep -v '^schema:' "$top/machines/$machine.yaml" >"$machine.yaml"
    seed=0
    while [ "$seed" -lt "$seeds" ]; do
        seed=$((seed + 1))
        status=0
        "$PROGRAM" run "$machine.yaml" -d "$database" --seed "$seed" --no-save "$@" >report 2>&1 ||
            status=$?
        if [ "$status" != "$wanted" ]; then
            echo "$machine on $database $*, seed $seed: exit status $status, not $wanted"
            cat report
            failed=1
        fi
    done
}

# found MACHINE SCHEMA BUG SHORTEST: found, but never in a sequence that is too short for it.
found() {
    database "$3" "$2" "$3"
    runs 1 20 "$1" "$3"
    runs 0 3 "$1" "$3" --steps "$(($4 - 1))"
}

database membership membership
database items items
runs 0 3 membership membership
runs 0 3 membership_two_users membership
runs 0 3 items items
found membership membership membership-editor-shadow 2
found membership membership membership-wrong-row 4
found membership membership membership-count-cache 3
found membership_two_users membership membership-stale-user 3
found items items items-soft-delete 3
found items items items-reused-id 4

exit "$failed"
