#!/bin/sh
# show: the page of a stored failure, by its name or because it is the only one; where it is written; what the report
# says of it; what is refused. The trace does not change.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

machine() { # NAME EXPECT
    cat >"$1.yaml" <<EOF
machine: $1
model: n = 0
rules:
  bump: {sql: SELECT 1, model: n += 1}
invariants:
  small: {sql: SELECT $2, expect: 1 if n < 3 else 2}
EOF
}
machine one 1
runs 2 show
err 'no failure is stored here'
runs 1 run one.yaml --seed 1
grep -qE '^  page     [^ ]*pgfsm show one-small$' out || complain "$said: no command for the page"
trace=$(echo .pgfsm/one/*.trace)
cp "$trace" before
runs 0 show
out "${trace%.trace}.html"
[ "$(wc -l <out)" = 1 ] || complain "$said: more than the path"
grep -q 'invariant small after bump (step 3)' "${trace%.trace}.html" || complain "$said: the page is not about the failure"
cmp -s before "$trace" || complain "$said: the trace has changed"
# A run that writes a page names that one.
runs 1 run one.yaml --seed 1 --report html=report.html
out '  page     report.html'
out_lacks 'pgfsm show'
runs 1 run one.yaml --seed 1 --no-save
out_lacks '  page '

machine two 1
runs 1 run two.yaml --seed 1
runs 2 show
out 'one-small'
out 'two-small'
err 'name one of these failures'
runs 0 show counterexamples/two-small.sql -o page.html
out 'page.html'
grep -q two.yaml page.html || complain "$said: not that page"
runs 2 show one-small two-small
err 'one failure'
runs 2 show three
err 'no stored failure is named three'
runs 2 show two-small -o nowhere/page.html
err 'nowhere/page.html'
mkfifo pipe
runs 2 show two-small -o pipe
err 'pipe is not a plain file'
[ -p pipe ] || complain 'the pipe is gone'
mv two.yaml moved.yaml
runs 2 show two-small
err "can't be read"
runs 0 show two-small --machine moved.yaml
# It no longer fails: there is a page all the same.
machine one 'CASE WHEN true THEN 1 END' && sed -i 's/ else 2/ else 1/' one.yaml
runs 0 show one-small
left_nothing
finish
