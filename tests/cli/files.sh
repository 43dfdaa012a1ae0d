#!/bin/sh
# A named file must be a regular file, with or without a byte order mark, and may have any name. A pipe, a device or a
# folder is refused at once, with the reason. Control characters in names, files and models don't reach the reader's
# terminal.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
with_time='timeout 60'

for kind in yaml sql trace star; do
    mkfifo "pipe.$kind"
    mkdir "folder.$kind"
    ln -s /dev/zero "device.$kind"
done
cat >good.yaml <<END
machine: good
rules:
  read: {sql: SELECT 1}
END

for kind in pipe device folder; do
    it="it is a $kind"
    # A folder means all machines in it.
    [ "$kind" = folder ] && why="there is no machine in folder.yaml" || why="can't read $kind.yaml: $it"
    with=$with_time
    runs 2 check "$kind.yaml"
    err "$why"
    with=$with_time
    runs 2 run --embedded "$kind.yaml"
    err "$why"
    with=$with_time
    runs 2 replay --embedded "$kind.trace"
    err "can't read $kind.trace: $it"
    with=$with_time
    runs 2 replay --embedded --machine good.yaml "$kind.trace"
    err "can't read $kind.trace: $it"
    with=$with_time
    runs 2 replay --embedded "$kind.sql"
    err "can't read $kind.sql: $it"
    with=$with_time
    runs 2 eval -f "$kind.star"
    err "can't read $kind.star: $it"
    with=$with_time
    runs 2 eval -m "$kind.yaml" 1
    err "can't read $kind.yaml: $it"
    sed "s/^rules/schema: $kind.sql\\n&/" good.yaml >"on_$kind.yaml"
    with=$with_time
    runs 2 check "on_$kind.yaml"
    err "on_$kind.yaml:2:9: error: can't read $kind.sql: $it"
    for where in '' --in-place; do
        with=$with_time
        # shellcheck disable=SC2086 # words
        runs 2 run --embedded $where --apply "$kind.sql" good.yaml
        err "can't read $kind.sql: $it"
    done
done
left_nothing

# If a stored file was replaced by a pipe, the run reports it and continues.
mkdir -p .pgfsm/good
mkfifo .pgfsm/good/a.trace
with=$with_time
runs 0 run --embedded --examples 2 good.yaml
out "can't read .pgfsm/good/a.trace: it is a pipe"
rm -r .pgfsm

# A byte order mark is no part of the text; columns are counted without it.
mark=$(printf '\357\273\277')
printf '%sCREATE TABLE t (i int);\n' "$mark" >mark.sql
printf '%s1 + 1\n' "$mark" >mark.star
printf '%smachine: good\nschema: mark.sql\nrules:\n  read: {sql: SELECT i FROM t}\n' "$mark" >mark.yaml
printf '%smachines: good\n' "$mark" >wrong.yaml
for where in '' --in-place; do
    # shellcheck disable=SC2086 # words
    runs 0 run --embedded $where --examples 2 mark.yaml
    out "ok  good"
done
printf '%sCREATE TABLE t (i inr);\n' "$mark" >mark.sql
for where in '' --in-place; do
    # shellcheck disable=SC2086 # words
    runs 2 run --embedded $where mark.yaml
    err "mark.sql:1:19: error: type \"inr\" does not exist"
done
runs 0 eval -f mark.star
out 2
runs 2 check wrong.yaml
err "wrong.yaml:1:1: error:"

# A trace with a mark is read, as is a script.
cat >failing.yaml <<END
machine: failing
rules:
  read: {sql: SELECT 1}
invariants:
  never: {sql: SELECT 1, expect: 2}
END
runs 1 run --embedded --examples 2 failing.yaml
trace=$(echo .pgfsm/failing/*.trace)
{ printf '%s' "$mark"; cat "$trace"; } >marked.trace
cp marked.trace "$trace"
runs 1 replay --embedded --machine failing.yaml marked.trace
out "FAIL  failing"
runs 1 run --embedded --last-failed failing.yaml
out "FAIL  failing"
out_lacks "is not a trace"
script=$(echo counterexamples/*.sql)
{ printf '%s' "$mark"; cat "$script"; } >marked.sql
runs 1 replay --embedded marked.sql
out "not ok"

# Characters that a terminal obeys, or that turn text around: C0, C1, bidirectional; from print(), from psql, from
# file names, from the server.
bidi=$(printf '\342\200\256')
csi=$(printf '\302\233')
esc=$(printf '\033')
tame() { # FILE
    for bad in "$bidi" "$csi" "$esc"; do
        lacks "$1" "$bad"
    done
}
runs 0 eval 'print("\u202e\u009b\x1b[31m")'
tame out
out '\u202e\u009b\x1b[31m'
name=$(printf 'a%s%s%s.yaml' "$bidi" "$csi" "$esc")
cp good.yaml "$name"
runs 0 check "$name"
tame out
out 'a\u202e\u009b\x1b.yaml'
cp wrong.yaml "$name"
runs 2 check "$name"
tame err
cat >hostile.yaml <<'END'
machine: hostile
model: |
  print("\u202e\u009b\x1b")
rules:
  read:
    sql: |
      SELECT E'\u202e \u009b \x1b'::text
    expect: "'x'"
  complain:
    sql: |
      DO $$ BEGIN RAISE EXCEPTION E'\u202e\u009b\x1b' USING HINT = E'\u202e\u009b\x1b'; END $$
END
runs 1 run --embedded --examples 20 hostile.yaml
tame out
tame err
out '\u202e'
for script in counterexamples/hostile-*.sql; do
    runs 1 replay --embedded "$script"
    tame out
    tame err
    runs 1 replay -v --embedded "$script"
    tame err
done

# The line that runs it again is for a shell: the program's path, the machine's and the folder's.
mkdir "it's here" "my bugs"
ln -s "$PROGRAM" "it's here/pgfsm x"
cp failing.yaml "my bugs/a b.yaml"
said="pgfsm x"
"./it's here/pgfsm x" run --embedded --examples 2 --out "my bugs" "my bugs/a b.yaml" >out 2>err
out "again    './it'\\''s here/pgfsm x' run 'my bugs/a b.yaml'"
out "replay   './it'\\''s here/pgfsm x' replay --embedded 'my bugs/failing-never.sql'"
sed -n 's/^  again    //p' out >again
sed -n 's/^  replay   //p' out >replay
sh ./again >out 2>err
out "FAIL  failing"
sh ./replay >out 2>err
out "not ok"
holds "my bugs/failing-never.sql" "psql -X -f 'my bugs/failing-never.sql'"
left_nothing
finish
