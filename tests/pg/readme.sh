#!/bin/sh
# The machine that README.md shows holds, as it stands there; and it is not one that always holds.
set -eu

readme=$(cd "$(dirname "$0")/../.." && pwd)/README.md
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"

# The first block of README.md in the language $1.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { if (inside) exit } inside' "$readme"
}
block sql >stock.sql
block yaml >stock.yaml

"$PROGRAM" run stock.yaml

echo 'ALTER TABLE stock DROP CONSTRAINT stock_quantity_check;' >bug.sql
status=0
"$PROGRAM" run stock.yaml --apply bug.sql >report || status=$?
if [ "$status" != 1 ] || ! grep -q check_violation report; then
    echo "without the constraint: exit status $status"
    cat report
    exit 1
fi
