#!/bin/sh
# pinned_machines.sh LETTERS
#
# Failures of machines that fail as they are, pinned (pinned_kind.sh): of those whose names begin with such a letter.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/pinned_kind.sh"
server_start socket
cd "$SERVER_DIR"
cp -r "$top/tests/bench" .

# shellcheck disable=SC2231 # a pattern
for machine in bench/machines/[$1]*.yaml; do
    pasted "$machine"
done
exit "$failed"
