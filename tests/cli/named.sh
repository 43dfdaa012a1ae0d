#!/bin/sh
# The name of a failure: one for its script, its trace and its reports, the same in each run, and taken by replay.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >sum.yaml <<'MACHINE'
machine: sum
model: n = 0
rules:
  add:
    args: {k: "integers(1, 3)"}
    sql: SELECT :k::int
    model: n += k
invariants:
  small: {sql: SELECT 1, expect: "1 if n < 4 else 2"}
MACHINE
runs 1 run sum.yaml --seed 5 --report json
out '"name":"sum-small"'
[ -f counterexamples/sum-small.sql ] || complain "$said: no script of that name"
trace=$(echo .pgfsm/sum/*small*.trace)
grep -q '^name =sum-small$' "$trace" || complain "$said: $(head -n 8 "$trace")"

# With or without an ending; of a script and a trace, .sql chooses the script.
for name in sum-small sum-small.trace "${trace##*/}"; do
    runs 1 replay "$name"
    out "FAIL  sum  invariant small"
done
# What has a folder is the path of a file.
for path in elsewhere/sum-small elsewhere/sum-small.sql .pgfsm/sum-small.trace; do
    runs 2 replay "$path"
    err "can't open $path: No such file or directory"
    runs 2 pin "$path"
    err "can't open $path: No such file or directory"
done
runs 1 replay sum-small.sql
out "not ok"
mv counterexamples aside
runs 1 replay sum-small.sql
out "FAIL  sum  invariant small"
mv aside counterexamples

runs 2 replay sum-smal
err "no stored failure is named sum-smal"
err "the stored failures are: sum-small"
runs 2 replay none.sql
err "none.sql"
runs 2 replay sum.yaml
err "sum.yaml is neither a .sql nor a .trace file"
said="pgfsm complete replay ''"
"$PROGRAM" complete replay '' >out 2>err
out sum-small

# A trace of an earlier version has no name; it is known by the one that it would get.
cp "$trace" kept
sed -i '/^name /d; /^call /d' "$trace"
runs 1 replay sum-small
# Names in a file are not trusted: a name is not used as a path.
sed 's|^name =.*|name =%2E%2E%2Foutside|' kept >"$trace"
runs 1 run sum.yaml --seed 5
[ ! -f outside.sql ] || complain "$said: a script is outside of its folder"
[ -f counterexamples/sum-small.sql ] || complain "$said: $(ls counterexamples)"
# The name stays with the failure, also if another one has it first.
sed 's|^name =.*|name =mine|' kept >"$trace"
rm -r counterexamples
runs 1 run sum.yaml --seed 5
[ "$(ls counterexamples)" = mine.sql ] || complain "$said: $(ls counterexamples)"
sed 's|^name =.*|name =sum-small|; s|^failure =.*|failure =other|' kept >.pgfsm/sum/other.trace
rm "$trace"
runs 1 run sum.yaml --seed 5
[ -f counterexamples/sum-small-2.sql ] || complain "$said: $(ls counterexamples)"
grep -q '^name =sum-small-2$' "$trace" || complain "$said: $(head -n 8 "$trace")"

# As a page, and for programs.
runs 1 replay sum-small-2 --report html=page.html --report json
grep -q '"name":"sum-small-2"' out || complain "$said: no name: $(cat out)"
grep -q '"account":{"steps":\[' page.html || complain "$said: the page has no account of the steps"
PGFSM_REPORT=json=env.json runs 1 replay sum-small-2
[ ! -e env.json ] || complain "$said: the variable is for runs"
runs 2 replay counterexamples/sum-small-2.sql --report html=page.html
err "replay: --report is for traces"

# Two traces of an earlier version whose failures would get one name: each gets its own.
cat >two.sql <<'SQL'
CREATE FUNCTION raises(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RAISE unique_violation USING CONSTRAINT = CASE n WHEN 1 THEN 'a b' ELSE 'a-b' END;
END $$;
SQL
cat >two.yaml <<'MACHINE'
machine: two
schema: two.sql
rules:
  add: {args: {k: "integers(1, 2)"}, sql: "SELECT raises(:k)"}
MACHINE
runs 1 run two.yaml --seed 1 --max-failures 2
names() { sed -n 's/^name =//p' .pgfsm/two/*.trace | sort | tr '\n' ' '; }
[ "$(names)" = 'two-add-23505-a-b two-add-23505-a-b-2 ' ] || complain "$said: $(names)"
rm counterexamples/two-*
sed -i '/^name /d; /^call /d' .pgfsm/two/*.trace
runs 2 replay two-add-23505-a-b
err "two stored failures are named two-add-23505-a-b"
runs 1 run two.yaml --seed 1 --max-failures 2
[ "$(names)" = 'two-add-23505-a-b two-add-23505-a-b-2 ' ] || complain "$said: $(names)"
[ "$(find counterexamples -name 'two-add-23505-a-b*.sql' | wc -l)" = 2 ] || complain "$said: $(ls counterexamples)"

# A step of initialize, a rule or an invariant may be called like a word that sentences and traces have.
called() { # KEY BODY SENTENCE
    rm -rf .pgfsm/words
    printf 'machine: words\n%s:\n  %s: {%s}\n' "$1" "$word" "$2" >words.yaml
    [ "$1" = rules ] || echo 'rules: {look: {sql: SELECT 1}}' >>words.yaml
    runs 1 run words.yaml --seed 1
    out "FAIL  words  $3"
    runs 1 replay .pgfsm/words/*.trace
    out "FAIL  words  $3"
}
for word in end fail initialize invariant step; do
    called initialize 'sql: SELECT 1 / 0' "initialize $word raised division_by_zero"
    called rules 'sql: SELECT 1 / 0' "rule $word (step 1) raised division_by_zero"
    called invariants 'sql: SELECT 1, expect: 2' "invariant $word after initialize gave 1, expected 2"
done
# What fails when the example ends is no step of it, whatever that is called.
cat >words.sql <<'SQL'
CREATE TABLE t (n int UNIQUE DEFERRABLE INITIALLY DEFERRED);
SQL
cat >words.yaml <<'MACHINE'
machine: words
schema: words.sql
settings: {check_deferred: end, steps: 1}
initialize:
  end: {sql: "INSERT INTO t VALUES (1), (1)"}
rules:
  end: {sql: SELECT 1}
MACHINE
runs 1 run words.yaml --seed 1
out 'FAIL  words  end of example raised unique_violation'

# Two of one name, of two machines: the file tells them apart.
cp -r .pgfsm/sum .pgfsm/more
runs 2 replay sum-small-2
err "two stored failures are named sum-small-2"
err "name the file of one of them"
finish
