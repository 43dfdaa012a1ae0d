#!/bin/sh
# Every planted bug is found with the default settings, from each of 20 seeds, but not in sequences
# shorter than its shortest. Without a bug every machine holds.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

# runs STATUS SEEDS MACHINE BUG OPTION...: from each seed up to SEEDS; BUG may be empty.
runs() {
    wanted=$1 seeds=$2 machine=$3 bug=$4
    shift 4
    seed=0
    while [ "$seed" -lt "$seeds" ]; do
        seed=$((seed + 1))
        status=0
        "$PROGRAM" run "$top/machines/$machine.yaml" --seed "$seed" "$@" \
            ${bug:+--apply "$top/sql/bugs/$bug.sql"} >"$SERVER_DIR/report" 2>&1 || status=$?
        if [ "$status" != "$wanted" ]; then
            echo "$machine ${bug:-without a bug} $*, seed $seed: exit status $status, not $wanted"
            cat "$SERVER_DIR/report"
            failed=1
        fi
    done
}

# found MACHINE BUG SHORTEST: found, but never in a sequence that is too short for it.
found() {
    runs 1 20 "$1" "$2"
    runs 0 2 "$1" "$2" --steps "$(($3 - 1))"
}

runs 0 2 membership ''
runs 0 2 membership_two_users ''
runs 0 2 items ''
found membership membership-editor-shadow 2
found membership membership-wrong-row 4
found membership membership-count-cache 3
found membership_two_users membership-stale-user 3
found items items-soft-delete 3
found items items-reused-id 4

exit "$failed"
