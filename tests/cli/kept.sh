#!/bin/sh
# Failures are not lost, even if no file can be written, or if only shrinking reveals a mistake in the model.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >stock.sql <<'END'
CREATE TABLE stock (n int);
END
cat >stock.yaml <<'END'
machine: stock
schema: stock.sql
rules:
  put: {args: {n: "integers(1, 9)"}, sql: INSERT INTO stock VALUES (:n)}
  idle: {sql: SELECT 1}
invariants:
  few: {sql: SELECT count(*) FROM stock, check: result.value < 3}
END

# If there is no file, the report contains the script, and the extracted text is the same script.
saved() {
    sed -n '/^  save this script as stock-few.sql /,/^\\endif/p' out | tail -n +3 >stock-few.sql
    runs 1 replay stock-few.sql
    out "not ok 1 - stock: invariant few"
    runs 1 replay stock-few.sql -v
    err "stock-few.sql:"
    err "the bug is there"
}

# The folder can't be created, because a file has its name, or can't be written to.
echo "no folder" >counterexamples
echo "no folder" >.pgfsm
runs 1 run stock.yaml --seed 1
out "no script: can't create the folder counterexamples: Not a directory"
out "the failing trace is not stored"
saved
rm counterexamples .pgfsm
runs 1 run stock.yaml --seed 1 --no-save --out nowhere/../../dev/null
out_lacks "to be saved"
runs 1 run stock.yaml --seed 1 --out /dev/null
saved

# The disk is full: existing files stay unchanged.
runs 1 run stock.yaml --seed 1
script=counterexamples/stock-few.sql
before=$(cat $script)
said="pgfsm run, where no file may grow"
# shellcheck disable=SC3045 # dash and bash have ulimit -f
(
    ulimit -f 0
    "$PROGRAM" run stock.yaml --seed 2 2>&1
) | cat >out
out "no script: can't write counterexamples/stock-few.sql: File too large"
[ "$before" = "$(cat $script)" ] || complain "$said: the script was changed"
[ "$(ls counterexamples)" = stock-few.sql ] || complain "$said: left aside: $(ls counterexamples)"
saved

# A script that pgfsm did not write is not run.
for file in plain empty binary; do
    : >$file.sql
done
echo "CREATE TABLE plain (n int); COMMIT;" >plain.sql
printf -- '--\0 It prints TAP and rolls back all that it did.\n' >binary.sql
mkdir folder.sql
mkfifo pipe.sql
for file in plain empty binary; do
    runs 2 replay $file.sql
    err "$file.sql is not a replay script of pgfsm"
    err "to run any SQL file: psql -X -f $file.sql"
done
runs 2 replay folder.sql
err "can't read folder.sql: it is a folder"
runs 2 replay pipe.sql
err "can't read pipe.sql: it is a pipe"
runs 2 replay nowhere.sql
err "can't open nowhere.sql: No such file or directory"
sed 's/$/\r/' $script >counterexamples/windows.sql
runs 1 replay counterexamples/windows.sql
out "not ok 1 - stock: invariant few"
err_lacks "the bug is there"

# A mistake in a context, which only a sequence without its first step comes across: others are tried all
# the same.
psql -qX --command "CREATE ROLE kept_role"
cat >mistake.yaml <<'END'
machine: mistake
schema: stock.sql
contexts:
  somebody: {role: ":who"}
model: who = "nobody_at_all"
rules:
  idle: {sql: SELECT 1}
  enter: {sql: SELECT 2, model: who = "kept_role"}
  look: {as: somebody, sql: SELECT 3, expect: 4}
examples:
  - name: a look
    steps: |
      idle()
      enter()
      idle()
      idle()
      look()
END
runs 1 run mistake.yaml --examples 0 -U postgres
out "FAIL  mistake  rule look (step 5)"
out "  1  enter()"
out "of the runs ran into a mistake in the model: mistake.yaml:9:29: postgres can't set the context"
out 'role "nobody_at_all" does not exist'
finish
