#!/bin/sh
# Checks the contents of README.md: the lines of a machine, the failure that it finds, what two schemas answer
# differently, and the machine that a reader writes, which passes, but fails with a bug.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
readme=$top/README.md
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
ln -s "$top/machines" "$top/sql" .

# The block number $2 in the language $1, which may be empty, of the page $3 or of README.md.
block() {
    awk -v fence="\`\`\`$1" -v wanted="$2" '
        /^```/ && inside { inside = 0; next }
        /^```/ { inside = 1; shown = $0 == fence && ++count == wanted; next }
        inside && shown' "${3:-$readme}"
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

# The files of docs/DIFF.md, with the trigger as it is there in the end.
block sql 1 "$top/docs/DIFF.md" >schema.sql
block sql 2 "$top/docs/DIFF.md" | sed 's/BEFORE INSERT ON/BEFORE INSERT OR UPDATE ON/' >0042.sql
status=0
"$PROGRAM" diff --schema schema.sql --apply 0042.sql --seed 1 --no-save >report || status=$?
[ "$status" = 1 ] || fail "the migration in README.md: exit status $status"
block console 1 | sed 1d | contains report

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
