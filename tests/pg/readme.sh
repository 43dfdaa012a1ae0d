#!/bin/sh
# Checks the contents of README.md: the lines of a machine, the failure that it finds, and the machine that a reader
# writes, which passes, but fails with a bug.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
readme=$top/README.md
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
ln -s "$top/machines" "$top/sql" .

# The block number $2 of README.md in the language $1, which may be empty.
block() {
    awk -v fence="\`\`\`$1" -v wanted="$2" '
        /^```/ && inside { inside = 0; next }
        /^```/ { inside = 1; shown = $0 == fence && ++count == wanted; next }
        inside && shown' "$readme"
}

fail() {
    echo "$1"
    cat report
    exit 1
}

# contains FILE: every line of standard input is a line of that file, but for the program's path.
contains() {
    while IFS= read -r line; do
        grep -qxF -- "$line" "$1" || fail "$1 has no line: $line"
    done
}

: >report
block yaml 1 >excerpt
[ -s excerpt ] || fail "README.md shows no machine"
contains machines/basejump.yaml <excerpt

status=0
"$PROGRAM" run machines/basejump.yaml --apply sql/bugs/basejump-stranger.sql --seed 1 >printed || status=$?
sed -E 's/ --pg-bindir [^ ]+//; s#^(  (replay|again|pin  )   ( *))[^ ]*/pgfsm#\1pgfsm#' printed >report
[ "$status" = 1 ] || fail "the bug in README.md: exit status $status"
# A terminal is narrower than the first line.
block '' 1 | sed '1 { N; s/\n  */ /; }' | contains report
block '' 2 | contains report

block sql 1 >stock.sql
block yaml 2 >stock.yaml
"$PROGRAM" run stock.yaml >report || fail "the machine in README.md does not hold"
"$PROGRAM" init --schema stock.sql -o first.yaml >report || fail "init does not make a machine"
"$PROGRAM" run first.yaml >report || fail "the first machine does not hold"

echo 'ALTER TABLE stock DROP CONSTRAINT stock_quantity_check;' >bug.sql
status=0
"$PROGRAM" run stock.yaml --apply bug.sql >report || status=$?
if [ "$status" != 1 ] || ! grep -q check_violation report; then
    fail "without the constraint: exit status $status"
fi
