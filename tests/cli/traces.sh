#!/bin/sh
# Stored traces, run again: they show their failure, no stored file changes, machine and trace are found from any
# folder, and files that can't be run have a message.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# machine LIMIT [MORE ARGUMENTS]: a sum that may not reach the limit; MORE goes into args
machine() {
    cat <<MACHINE
machine: sum
model: n = 0
rules:
  look: {sql: SELECT 1, raises: None}
  add:
    args: {k: "integers(1, 3)"${2:-}}
    sql: SELECT :k::int
    model: n += k
invariants:
  small: {sql: SELECT 1, expect: "1 if n < $1 else 2"}
MACHINE
}
kept() { find . -path ./tmp -prune -o -type f ! -name out ! -name err -exec cksum {} + | sort; }
same_files() {
    kept >"$TMPDIR/after"
    cmp -s "$TMPDIR/before" "$TMPDIR/after" ||
        complain "$said: files changed: $(diff "$TMPDIR/before" "$TMPDIR/after")"
    rm "$TMPDIR/after"
}

mkdir machines
machine 4 >machines/sum.yaml
runs 1 run machines/sum.yaml --seed 5
out_lacks "connections" # one is all that was asked for
trace=.pgfsm/sum/$(ls .pgfsm/sum)
sed -n '1,/found in/p' out | grep -v 'found in' | sed 's/   # any .*//' >found # what matters is told by a run
rm -r counterexamples

# The same failure, from the trace alone, without any change of files.
kept >"$TMPDIR/before"
runs 1 replay "$trace"
sed -n '1,/found in/p' out | grep -v 'found in' >"$TMPDIR/shown"
cmp found "$TMPDIR/shown" || complain "$said: $(diff found "$TMPDIR/shown")"
rm "$TMPDIR/shown"
grep -qE '^  found in example [0-9]+ of an earlier run, seed 5$' out || complain "$said: $(cat out)"
out " machines/sum.yaml:10 "
out "replay $trace"
out_lacks "shrunk"
same_files
# A run of another seed repeats it first, and tells the seed that finds it.
runs 1 run machines/sum.yaml --seed 6 --examples 5
grep -qE "^  again    .* run machines/sum.yaml --examples 5 --seed 5\$" out || complain "$said: $(grep again out)"
rm -rf counterexamples
runs 1 replay "$trace" --no-pipeline -v --color always --progress always
out "invariant small after add (step "
err "  1/1   "
same_files

# If it passes now, the run says so, and the trace stays.
machine 400 >machines/sum.yaml
kept >"$TMPDIR/before"
runs 0 replay "$trace"
grep -qE '^ok  sum  1 example, [0-9]+ steps, [0-9.]+ s, seed 5; invariant small no longer fails$' out ||
    complain "$said: $(cat out)"
[ "$(wc -l <out)" = 1 ] || complain "$said: more than a line: $(cat out)"
same_files

# It fails, but otherwise.
machine 400 | sed 's/SELECT :k::int/SELECT 1 \/ (:k::int - :k::int)/' >machines/sum.yaml
runs 1 replay "$trace"
out "FAIL  sum  rule add (step "
out "it fails differently than before: invariant small holds"

# Steps that can't run any more are left out, and counted.
machine 400 | sed 's/^  add:/&\n    precondition: n < 0/' >machines/sum.yaml
runs 0 replay "$trace"
out "of its steps can't run any more, and were left out"

# The machine has changed under it: said, with the line.
machine 4 | sed 's/^  add:/  plus:/' >machines/sum.yaml
runs 2 replay "$trace"
err "$trace:$(grep -n '^step' "$trace" | head -n 1 | cut -d: -f1):1: error: the machine sum has no rule add"
err "the machine has changed since the trace was written; \`pgfsm run\` runs what is left of it"
machine 4 ', m: booleans()' >machines/sum.yaml
runs 2 replay "$trace"
err "add has 1 argument here, and 2 in the machine"
echo "machine: [" >machines/sum.yaml
runs 2 replay "$trace"
err "machines/sum.yaml:"
machine 4 | sed 's/machine: sum/machine: total/' >machines/sum.yaml
runs 2 replay "$trace"
err "is a trace of machine sum, not of total"
machine 4 >machines/sum.yaml

# From anywhere, and moved together.
mkdir elsewhere
cd elsewhere || exit 1
runs 1 replay "../$trace"
out " $DIR/machines/sum.yaml:10 "
[ "$(ls -A)" = "err
out" ] || complain "$said: left $(ls -A)"
cd "$DIR" || exit 1
mkdir moved
cp -r .pgfsm machines moved
mv machines away
runs 1 replay "moved/$trace"
out " moved/machines/sum.yaml:10 "

# A machine that was moved, and a trace that does not contain its path.
runs 2 replay "$trace"
err "machines/sum.yaml can't be read: No such file"
err "name the machine's file with --machine FILE"
runs 1 replay "$trace" -m away/sum.yaml
out "replay -m away/sum.yaml $trace"
mv away machines
sed '/^file /d' "$trace" >older.trace
runs 2 replay older.trace
err "older.trace does not name the file of its machine, sum"
err "name the machine's file with --machine FILE"
runs 1 replay older.trace --machine machines/sum.yaml

# Several, with scripts among them; one that can't be read does not keep the others from running.
runs 1 run machines/sum.yaml --seed 5
runs 1 replay counterexamples/*.sql "$trace"
out "not ok 1"
out "FAIL  sum  invariant small"
: >empty.trace
runs 2 replay empty.trace "$trace"
err "empty.trace is not a trace of pgfsm"
out "FAIL  sum  invariant small"
runs 2 replay machines/sum.yaml
err "machines/sum.yaml is neither a .sql nor a .trace file"
runs 2 replay counterexamples/*.sql -m machines/sum.yaml
err "--machine is for traces"
for words in --in-place --keep --no-pipeline '--profile ci'; do
    # shellcheck disable=SC2086 # words
    runs 2 replay counterexamples/*.sql $words
    err "${words% *} is for traces"
done

# Damage: said, and the exit status is that of wrong usage.
head -c 100 "$trace" >cut.trace
printf 'pgfsm trace 1\n\377\376\n' >bytes.trace
sed 's/int .*/int 9 9 9 9 9/' "$trace" >clamped.trace
sed 's/int .*/int many/' "$trace" >word.trace
{ cat "$trace" && head -c 17000000 /dev/zero | tr '\0' '\n'; } >huge.trace
mkdir folder.trace
for damaged in cut bytes word huge folder missing; do
    runs 2 replay "$damaged.trace" -m machines/sum.yaml
    err "$damaged.trace"
    out_lacks "sum"
done
rm huge.trace
# A value out of its range is put into it: k becomes 3.
runs 1 replay clamped.trace -m machines/sum.yaml
out "1  add(k=3)"

# If no script is possible, the run names the trace.
cat >odd.yaml <<ODD
machine: odd
model: n = 0
rules:
  add: {sql: SELECT 1, model: n += 1}
invariants:
  even: {check: n < 2}
ODD
runs 1 run odd.yaml --seed 5
out "replay odd-even"
out "no script: what failed concerns only the model"
runs 1 replay odd-even
out "FAIL  odd  invariant even after add (step 2): n is 2, should be < 2"
cat >gone.yaml <<GONE
machine: gone
rules:
  go: {sql: SELECT pg_terminate_backend(pg_backend_pid())}
GONE
runs 3 run gone.yaml --seed 5
gone=.pgfsm/gone/$(ls .pgfsm/gone)
out "replay   $PROGRAM replay counterexamples/gone-go-connection-lost.sql"
runs 3 replay "$gone"
out "FAIL  gone  rule go (step 1): the server closed the connection"
runs 1 replay counterexamples/gone-go-connection-lost.sql
out "# while the bug is there the server closes the connection here"
out "not ok 1 - the server closed the connection"
err "terminating connection due to administrator command"
runs 1 run machines/sum.yaml --seed 5 --no-save
out_lacks "replay"
rm "$TMPDIR/before"
left_nothing
finish
