#!/bin/sh
# Failures of planted bugs, pinned (pinned_kind.sh).
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/pinned_kind.sh"
server_start socket
cd "$SERVER_DIR"
mkdir machines
cp -r "$top/sql" .

# planted MACHINE BUG: fails with the bug, and passes without it.
planted() {
    cp "$top/machines/$1.yaml" machines
    pasted "machines/$1.yaml" --apply "sql/bugs/$2.sql"
    run 0 machines/pasted.yaml --examples 0
    status=0
    "$PROGRAM" run machines/pasted.yaml --last-failed --apply "sql/bugs/$2.sql" --out out >report 2>&1 ||
        status=$?
    [ "$status" = 1 ] || complain "--last-failed: exit status $status, not 1"
    [ -z "$(find .pgfsm -type f 2>/dev/null)" ] || complain "the example database keeps it"
}

planted membership membership-editor-shadow
planted membership membership-wrong-row
planted membership membership-count-cache
planted membership_two_users membership-stale-user
planted items items-soft-delete
planted items items-reused-id
exit "$failed"
