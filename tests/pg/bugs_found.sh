#!/bin/sh
# Every planted bug is found with the default settings, from each of 20 seeds, and without a bug every
# machine holds from each of them.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
failed=0

# runs MACHINE BUG STATUS: BUG may be empty.
runs() {
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        status=0
        "$PROGRAM" run "$top/machines/$1.yaml" --seed "$seed" \
            ${2:+--apply "$top/sql/bugs/$2.sql"} >"$SERVER_DIR/report" 2>&1 || status=$?
        if [ "$status" != "$3" ]; then
            echo "$1 ${2:-without a bug}, seed $seed: exit status $status, not $3"
            cat "$SERVER_DIR/report"
            failed=1
        fi
    done
}

for machine in membership membership_two_users items; do
    runs "$machine" '' 0
done
for bug in editor-shadow wrong-row count-cache; do
    runs membership "membership-$bug" 1
done
runs membership_two_users membership-stale-user 1
runs items items-soft-delete 1
runs items items-reused-id 1

exit "$failed"
