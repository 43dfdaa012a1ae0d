#!/bin/sh
# pgfsm pin: the example that it writes runs first and fails in the same way. The rest of the file stays unchanged.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# A file as hostile as YAML allows: a byte order mark, CRLF, an anchor, tabs, a comment and no newline at the end.
mkdir machines
{
    printf '\357\273\277'
    sed 's/$/\r/' <<'MACHINE'
# Summe: é
machine: sum
model: |
  n = 0	# a tab
  # the end of the model
rules:
  add: &add
    args: {k: "integers(1, 3)"}
    sql: SELECT :k::int
    model: n += k
  more: *add
invariants:
  small: {sql: SELECT 1, expect: "1 if n < 4 else 2"}

MACHINE
    printf '# end'
} >machines/file.yaml
chmod 640 machines/file.yaml
[ "$(id -u)" != 0 ] || chown 12345:12346 machines/file.yaml
ln -s machines/file.yaml sum.yaml
owner() { stat -c '%a %u %g' machines/file.yaml; }
before=$(owner)
cp machines/file.yaml unpinned

runs 1 run sum.yaml --seed 5
out "pin      $PROGRAM pin sum-small"
sed -nE 's/\)   .*/)/; s/^  [0-9]+[> ] //p' out >steps
[ -s steps ] || complain "$said: no steps"
runs 0 pin sum-small
out "sum-small is pinned"
out "file.yaml:18"
[ -L sum.yaml ] || complain "$said: the link is gone"
[ "$(owner)" = "$before" ] || complain "$said: mode or owner: $(owner), not $before"
[ "$(ls machines)" = file.yaml ] || complain "$said: left $(ls machines)"
head -c "$(stat -c %s unpinned)" machines/file.yaml | cmp - unpinned || complain "$said: the file has changed"
sed -n 's/^      //p' machines/file.yaml | tr -d '\r' | diff steps - || complain "$said: other steps"
[ "$(grep -c '' machines/file.yaml)" = "$(grep -c "$(printf '\r')\$" machines/file.yaml)" ] ||
    complain "$said: ends of lines differ"

# It runs first, and fails.
rm -r .pgfsm counterexamples
runs 1 run sum.yaml --examples 0
out "pinned example 'sum-small'"
out "FAIL  sum  invariant small"
cp machines/file.yaml pinned

# Pins a failure a second time, and tries failures that can't be pinned.
cp unpinned machines/file.yaml
runs 1 run sum.yaml --seed 5
runs 0 pin counterexamples/sum-small.sql
cmp -s machines/file.yaml pinned || complain "$said: another file"
runs 2 pin sum-small
err "an example with these steps is pinned already"
cmp -s machines/file.yaml pinned || complain "$said: the file has changed"
runs 2 pin nothing
err "no stored failure is named nothing"
err "the stored failures are: sum-small"
runs 2 pin
err "pin: no failure is named"

# If the file would not load with the example, the example is printed, and the file stays unchanged.
sed 's/^  add:/  plus:/' unpinned >machines/file.yaml
sed -i 's/add(/minus(/; s/%20%3D%20add%28/%20%3D%20minus%28/; s/^call =add/call =minus/' .pgfsm/sum/*.trace
sed -i 's/^call =more/call =minus/' .pgfsm/sum/*.trace
cp machines/file.yaml before
runs 2 pin sum-small
err "unknown rule 'minus'"
err "nothing is changed; to pin it by hand, write this under \`examples:\`"
out "- name: sum-small"
out "    minus("
cmp -s machines/file.yaml before || complain "$said: the file has changed"
[ "$(ls machines)" = file.yaml ] || complain "$said: left $(ls machines)"

# A trace of an earlier version; a machine that was moved; a file that can't be written to.
sed -i '/^name /d; /^call /d' .pgfsm/sum/*.trace
runs 2 pin sum-small
err "has no steps that can be pinned"
err "an earlier version of pgfsm wrote it"
cp unpinned machines/file.yaml
rm -r .pgfsm
runs 1 run sum.yaml --seed 5
mv machines/file.yaml elsewhere.yaml
runs 2 pin sum-small
err "file.yaml can't be read"
err "--machine FILE"
runs 0 pin sum-small -m elsewhere.yaml
cmp -s elsewhere.yaml pinned || complain "$said: another file"
cp unpinned elsewhere.yaml
if [ "$(id -u)" != 0 ]; then
    chmod 400 elsewhere.yaml
    runs 2 pin sum-small -m elsewhere.yaml
    err "can't write elsewhere.yaml"
    out "- name: sum-small"
fi

# The draws of initialize are part of the example. A pasted line keeps its number, its answer and the mark of a failure.
cat >drawn.yaml <<'MACHINE'
machine: drawn
model: n = 0
initialize:
  - args: {k: "integers(1, 9)"}
    sql: SELECT :k::int
    model: n = k
rules:
  look: {sql: SELECT 1, check: n < 5}
  say: {args: {t: text()}, sql: "SELECT :t"}
examples:
  - name: pasted
    steps: |
         4  look()                   -> 1
         5  say(t="a) \\") ' -> 2")   -> "a) \\") ' -> 2"   # any t fails
         6> look()                   INSERT 0 1
MACHINE
runs 1 run drawn.yaml --seed 1
runs 2 pin drawn-look-check
err "has no steps that can be pinned"
err "what initialize draws"

# The file of another machine stays unchanged, whatever a trace names, and so does one with another name.
sed 's/^machine: drawn/machine: other/; /^initialize:/,/^rules:/c rules:' drawn.yaml >other.yaml
cp other.yaml as_it_was
runs 2 pin sum-small -m other.yaml
out_lacks "- name"
err "other.yaml has the machine 'other', and the failure is of 'sum'"
cmp -s other.yaml as_it_was || complain "$said: the file is another one"
cat >soft.yaml <<'MACHINE'
machine: sum
model: n = 0
rules:
  add: {args: {k: "integers(1, 3)"}, sql: "SELECT :k::int", model: n += k}
MACHINE
ln soft.yaml hard.yaml
runs 2 pin sum-small -m hard.yaml
err "hard.yaml has other names (hard links)"
cmp -s soft.yaml hard.yaml || complain "$said: only one of two names has the example"

# Several at the same time: each waits for the others, and no example is lost.
{
    echo 'machine: many'
    echo 'rules:'
    for i in 1 2 3 4 5 6; do
        echo "  r$i: {sql: SELECT 1, expect: 2}"
    done
} >many.yaml
runs 1 run many.yaml --seed 1 --max-failures 6
pins=
for i in 1 2 3 4 5 6; do
    "$PROGRAM" pin "many-r$i-expect" >"pinned.$i" 2>&1 &
    pins="$pins $!"
done
# shellcheck disable=SC2086 # words
wait $pins
for i in 1 2 3 4 5 6; do
    grep -q "name: many-r$i-expect" many.yaml || complain "pins at once: r$i is lost: $(cat "pinned.$i" many.yaml)"
done

# A file with a mistake stays unchanged, too, and the example is printed.
cp soft.yaml wrong.yaml
echo 'model: n = 1' >>wrong.yaml
runs 2 pin sum-small -m wrong.yaml
out "- name: sum-small"
finish
