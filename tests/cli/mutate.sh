#!/bin/sh
# pgfsm mutate: verdicts that were judged by hand, the same in each mode; the list of mutants; the reports on those that
# survive. mutate_stops.sh tests mutants that disturb the run that grades them.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
export PGFSM_EXAMPLES=10
export PGFSM_JOBS=1 # a copy of the database takes longer than these mutants

cat >bank.sql <<'SQL'
CREATE TABLE account (
    id int PRIMARY KEY,
    email text NOT NULL UNIQUE,
    balance int NOT NULL DEFAULT 0 CONSTRAINT covered CHECK (balance >= 0)
        CONSTRAINT bounded CHECK (balance < 1000000));
CREATE TABLE entry (account int NOT NULL REFERENCES account, amount int NOT NULL);
CREATE FUNCTION move(a int, n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE account SET balance = balance + n WHERE id = a;
    INSERT INTO entry VALUES (a, n);
END $$;
SQL

# A customer who reaches a bound gets an error. No deposit reaches a million, and each entry has an
# account.
cat >bank.yaml <<'END'
machine: bank
schema: bank.sql
settings: {steps: 15, seed: 3}
model: |
  balances = {}
  emails = set()
rules:
  open:
    args: {id: 'integers(1, 9)', email: 'sampled_from(["a", "b", "c"])'}
    sql: INSERT INTO account (id, email) VALUES (:id, :email)
    raises: unique_violation if id in balances or email in emails else None
    model: |
      balances[id] = 0
      emails.add(email)
  move:
    args: {account: balances, n: 'integers(-50, 50)'}
    sql: SELECT move(:account, :n)
    raises: check_violation if balances[account] + n < 0 else None
    model: balances[account] += n
invariants:
  balances: {sql: "SELECT id, balance FROM account", expect: balances}
  entries: {sql: "SELECT coalesce(sum(amount), 0)::int FROM entry", expect: sum(balances.values())}
END

verdicts() {
    grep -E '^(mutants|survived| +(killed|stillborn|equivalent|timed out|broke) )' "$1" | sed 's/, [0-9.]* m*s$//'
}

# The same by name for whatever number of connections that it is run on.
runs 0 mutate bank.yaml -v
out 'drop-check  constraint account.bounded'
out 'drop-check  account.covered: rule move: check_violation did not come'
out 'drop-unique  account.account_email_key: rule open: unique_violation did not come'
grep -q '^ *killed .*drop-statement' out || complain "no edit of a function was killed: $(cat out)"
cp out one
runs 0 mutate bank.yaml --jobs 3 -v
verdicts one >verdicts.one
verdicts out | diff verdicts.one - || complain "one connection and three differ"
[ -e .pgfsm ] || [ -e counterexamples ] && complain "mutate stored something"
bounded=$(sed -n 's/^survived  \([0-9a-f]*\)  drop-check  constraint account.bounded  bank.sql:1$/\1/p' one)
covered=$(sed -n 's/^ *killed *\([0-9a-f]*\)  drop-check  account.covered.*/\1/p' one)

# A score that is too low, a machine that does not hold, nothing to grade, no mutant of that name. The reports mark
# survivors as failed only if the exit status also says so.
runs 4 mutate bank.yaml --only drop-check --min-score 60 --report tap=low.tap --report junit=low.xml --report github=low.github
out '1 killed, 1 survived; score 50.0 % of 2 graded'
grep -q "^not ok .*mutant $bounded drop-check account.bounded$" low.tap || complain "a low score: $(cat low.tap)"
[ "$(xmllint --xpath 'count(//failure)' low.xml)" = 1 ] || complain "a low score: $(cat low.xml)"
grep -q "^::error title=bank%3A mutant $bounded drop-check account.bounded,file=bank.sql,line=5,col=[0-9]*::survived" low.github ||
    complain "a low score: $(cat low.github)"
runs 0 mutate bank.yaml --only drop-check --min-score 50 --report tap=good.tap --report junit=good.xml --report github=good.github \
    --report markdown=good.md
grep -q "^::warning title=bank%3A mutant $bounded drop-check account.bounded,file=bank.sql,line=5,col=[0-9]*::survived" good.github ||
    complain "a good score: $(cat good.github)"
said=good.md
holds good.md '50.0 % of 2 graded mutants killed'
holds good.md '[- CONSTRAINT bounded CHECK (balance < 1000000) -]'
grep -q "^not ok .*mutant $bounded drop-check account.bounded # TODO survived: In [0-9]* steps on account, no step tried" good.tap ||
    complain "a good score: $(cat good.tap)"
prove -e cat good.tap >/dev/null 2>&1 || complain "a good score fails: $(cat good.tap)"
[ "$(xmllint --xpath 'count(//failure)' good.xml)" = 0 ] || complain "a good score: $(cat good.xml)"
for kind in mutant rule; do
    [ "$(xmllint --xpath "count(//testcase[starts-with(@name, '$kind') and @time > 0])" good.xml)" = 2 ] ||
        complain "the times: $(cat good.xml)"
done
runs 5 mutate bank.yaml --only 'nothing-*'
out 'none that --only and --changed ask for'
runs 0 mutate bank.yaml --kill "$bounded" --examples 5
err 'survives'
cat >bug.sql <<'END'
ALTER TABLE account DROP CONSTRAINT covered;
END
runs 1 mutate bank.yaml --apply bug.sql
out_lacks '; score'
runs 2 mutate bank.yaml --kill 00000000
err "no mutant '00000000'"

# A file of another folder is shown as one would write it, from here and from the top of the repository.
mkdir -p sub
sed 's|bank.sql|../bank.sql|' bank.yaml >sub/bank.yaml
runs 0 mutate sub/bank.yaml --only "$bounded" --report github=here.github
grep -q "account.bounded,file=bank.sql,line=5," here.github || complain "a path: $(cat here.github)"
cd sub || exit 1
with="GITHUB_WORKSPACE=$DIR"
runs 0 mutate bank.yaml --only "$bounded" --report github=here.github
grep -q "account.bounded,file=bank.sql,line=5," here.github || complain "a path: $(cat here.github)"
cd ..

# --list runs none. --changed lists the mutants of objects that the file created, also in place, and for a machine that
# needs the file.
runs 0 mutate bank.yaml --list --only 'drop-check'
out 'drop-check  account.bounded'
out '[- CONSTRAINT bounded CHECK (balance < 1000000) -]'
out_lacks 'survived'
cat >more.sql <<'END'
ALTER TABLE account ADD CONSTRAINT small CHECK (balance < 2000000);
ALTER TABLE entry ADD COLUMN note text;
END
cat >more.yaml <<'END'
machine: more
schema: bank.sql
rules: {note: {sql: SELECT note FROM entry}}
END
for options in '' '--in-place -d postgres'; do
    # shellcheck disable=SC2086 # words
    runs 0 mutate more.yaml --list --only 'drop-check' --apply more.sql --changed $options
    out 'account.small'
    out_lacks 'account.bounded'
done
runs 2 mutate bank.yaml --changed

# In place there is only one connection, without a warning.
with='-u PGFSM_JOBS'
runs 0 mutate bank.yaml --only "$covered" --in-place -d postgres
out_lacks 'connections'
runs 0 mutate bank.yaml --only "$covered" --in-place -d postgres --jobs 2
out '1 of 2 connections'

# One that survives is accepted with a reason; one that is killed though it is accepted is said, and one that is gone.
{
    cat bank.yaml
    echo "mutants: {$bounded: nobody has a million, $covered: oh well, 0123abcd: long ago}"
} >accepted.yaml
runs 0 mutate accepted.yaml --only drop-check --report tap=accepted.tap
out '1 killed, 1 accepted; score 100.0 %'
for report in out accepted.tap; do
    said=$report
    holds $report "$covered  drop-check  account.covered, though"
    holds $report '0123abcd, which '
    holds $report ' accepts: the schema has no such mutant'
done

{
    cat bank.yaml
    echo "mutants: {$covered $bounded: oh well}"
} >accepted.yaml
runs 0 mutate accepted.yaml --seed 3 --only drop-check
out '1 killed, 1 accepted; score 100.0 %'
{
    cat bank.yaml
    echo "mutants: {drop-* account.bound*: nobody has a million, 'drop-not-null move(integer[],integer[])': none}"
} >accepted.yaml
runs 0 mutate accepted.yaml --seed 3 --only drop-check -v
out '1 killed, 1 accepted; score 100.0 %'
out 'account.bounded: nobody has a million'
out 'drop-not-null move(integer[],integer[]), which'
out_lacks 'though'

# --kill shrinks the example that kills a mutant. Its script fails with the fault, and passes
# without it.
unique=$(sed -n 's/^ *killed *\([0-9a-f]*\)  drop-unique  account.account_email_key.*/\1/p' one)
for mutant in "$covered" "$unique"; do
    with='-u PGFSM_EXAMPLES'
    runs 1 mutate bank.yaml --kill "$mutant" --seed 3
    out "mutate bank.yaml --examples 2000 --kill $mutant --seed 3"
    err "mutant $mutant is killed"
    psql -qX -f counterexamples/bank-*.sql >tap 2>&1
    { [ $? = 3 ] && grep -q '^not ok' tap; } || complain "the script holds on mutant $mutant: $(cat tap)"
    : >"counterexamples/mutant-$mutant.sql"
    psql -qX -f counterexamples/bank-*.sql >tap 2>&1 || complain "the script fails without mutant $mutant: $(cat tap)"
    rm -rf counterexamples
done

# If a rule allows an error, no survivor's report claims that no value reached it.
runs 0 mutate bank.yaml --only drop-check
out_lacks 'allowed either way'
sed 's/else None$/else [None]/' bank.yaml >tolerant.yaml
runs 0 mutate tolerant.yaml --only drop-check
out 'allowed either way'

# Ids stay the same when other objects change.
sed 's/CREATE TABLE entry/CREATE TABLE extra (x int CHECK (x > 0)); &/; s/balance int/balance bigint/' bank.sql >other.sql
sed 's/bank.sql/other.sql/' bank.yaml >other.yaml
runs 0 mutate other.yaml --list --only "$bounded"
out "$bounded  drop-check  account.bounded"

# run --prove: a green run stays green if there are no mutants, and if a mutant is not found.
runs 0 run bank.yaml --prove 2 --no-save --seed 15
out 'mutants  bank  0 of 2 planted faults found, 2 survived, '
runs 0 run bank.yaml --prove 2 --no-save --seed 7
out 'mutants  bank  2 of 2 planted faults found, '
echo 'CREATE TABLE t ();' >bare.sql
printf 'machine: bare\nschema: bare.sql\nsettings: {examples: 2}\nrules: {r: {sql: SELECT count(*) FROM t}}\n' >bare.yaml
runs 0 run bare.yaml --prove 2 --no-save
out 'no fault can be planted'
echo 'CREATE TABLE t (n int CHECK (n > 0));' >bare.sql
runs 0 run bare.yaml --prove 1 --no-save --seed 4 --report tap=bare.tap
out 'mutants  bare  0 of 1 planted faults found, 1 survived, '
out 'constraint t.t_n_check'
prove -e cat bare.tap >/dev/null 2>&1 || complain "a proof that fails: $(cat bare.tap)"

# Survivors of one policy with one cause have one heading, and no green text is above them. Only commands and single
# words are wider than 80 columns.
cat >notes.sql <<'SQL'
DO $$ BEGIN CREATE ROLE pgfsm_mutate_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE notes_of_everybody_who_writes_notes (
    id int PRIMARY KEY,
    writer text NOT NULL
        REFERENCES nobody_at_all ON DELETE CASCADE);
ALTER TABLE notes_of_everybody_who_writes_notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_notes_of_everybody_who_writes_notes ON notes_of_everybody_who_writes_notes TO pgfsm_mutate_reader
    USING (writer = current_setting('app.user'))
    WITH CHECK (writer = current_setting('app.user'));
GRANT SELECT, INSERT ON notes_of_everybody_who_writes_notes TO pgfsm_mutate_reader;
SQL
sed -i '1i CREATE TABLE nobody_at_all (name text PRIMARY KEY);' notes.sql
cat >notes.yaml <<'END'
machine: notes
schema: notes.sql
settings: {steps: 8, seed: 1}
model: ids = set()
initialize: [{sql: "INSERT INTO nobody_at_all VALUES ('ann')"}]
contexts:
  ann: {role: pgfsm_mutate_reader, settings: {app.user: "'ann'"}}
rules:
  write:
    args: {id: 'integers(1, 9)'}
    as: ann
    sql: INSERT INTO notes_of_everybody_who_writes_notes VALUES (:id, 'ann')
    raises: unique_violation if id in ids else None
    model: ids.add(id)
invariants:
  ids: {as: ann, sql: SELECT id FROM notes_of_everybody_who_writes_notes, expect: ids}
END
runs 0 mutate notes.yaml --only 'policy-*' --only 'drop-*' --color always
amber=$(printf '\033[33m')
green=$(printf '\033[32m')
out "${amber}ok"
out_lacks "$green"
out "${amber}survived"
COLUMNS=80
runs 0 mutate notes.yaml --only 'policy-*' --only 'drop-*'
out '4 faults of policy own_notes_of_everybody_who_writes_notes on'
out '  notes_of_everybody_who_writes_notes, 1 cause  notes.sql:8'
out "WITH CHECK ([- writer = current_setting('app.user') -]{+ true +})"
[ "$(tr -s ' \n' ' ' <out | grep -o 'no answer depends on a row' | wc -l)" = 1 ] || complain "one cause for the policy: $(cat out)"
out ' graded, '
sed 's/notes_of_everybody_who_writes_notes/notes/g; s/nobody_at_all/users/' notes.sql >short.sql
sed 's/notes_of_everybody_who_writes_notes/notes/g; s/nobody_at_all/users/; s/notes.sql/short.sql/' notes.yaml >short.yaml
cp out long
runs 0 mutate short.yaml --only 'policy-*' --only 'drop-*'
out '4 faults of policy own_notes on notes, 1 cause  short.sql:8'
wide=$(cat out long | grep -v '^  try it' | grep -E '^.{81}' | grep -E '^ *[^ ]+ ')
[ -z "$wide" ] || complain "wider than 80 columns: $wide"

finish
