#!/bin/sh
# pgfsm mutate: verdicts that were judged by hand, the same however they are run; what is left behind; what a mutant
# does to the run that grades it.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >bank.sql <<'SQL'
CREATE TABLE account (
    id int PRIMARY KEY,
    email text NOT NULL UNIQUE,
    balance int NOT NULL DEFAULT 0 CONSTRAINT covered CHECK (balance >= 0)
        CONSTRAINT bounded CHECK (balance < 1000000));
CREATE TABLE entry (account int NOT NULL REFERENCES account, amount int NOT NULL);
CREATE FUNCTION move(a int, n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    i int := 0;
BEGIN
    IF n > 900 THEN
        PERFORM pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());
    END IF;
    WHILE i < 1 LOOP
        i := i + 1;
    END LOOP;
    UPDATE account SET balance = balance + n WHERE id = a;
    INSERT INTO entry VALUES (a, n);
END $$;
SQL

# Whoever comes to a bound is told so; no deposit comes to a million, no entry is for nobody.
cat >bank.yaml <<'END'
machine: bank
schema: bank.sql
settings: {steps: 15}
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
    grep -E '^(mutants|survived| +(killed|stillborn|equivalent|timed out|broke) )' out | sed 's/, [0-9.]* m*s$//'
}

# The same by name for whatever number of connections that it is run on.
runs 0 mutate bank.yaml --seed 3 --only 'drop-*' --jobs 1 -v
out 'drop-check  account.bounded'
out 'drop-check  account.covered: rule move: check_violation did not come'
out 'drop-unique  account.account_email_key: rule open: unique_violation did not come'
verdicts >one
runs 0 mutate bank.yaml --seed 3 --only 'drop-*' --jobs 3 -v
verdicts >three
cmp -s one three || complain "one connection and three: $(diff one three)"
[ -e .pgfsm ] || [ -e counterexamples ] && complain "mutate stored something"

# A score that is too low, a machine that does not hold, nothing to grade, no mutant of that name.
runs 4 mutate bank.yaml --seed 3 --only 'drop-check' --min-score 60
out '1 killed, 1 survived; score 50.0 %'
runs 0 mutate bank.yaml --seed 3 --only 'drop-check' --min-score 50
runs 5 mutate bank.yaml --seed 3 --only 'nothing-*'
out 'nothing that was asked for'
runs 0 mutate bank.yaml --seed 3 --kill "$(sed -n 's/^survived  \([0-9a-f]*\)  drop-check.*/\1/p' one)" --examples 5
err 'survives'
cat >bug.sql <<'END'
ALTER TABLE account DROP CONSTRAINT covered;
END
runs 1 mutate bank.yaml --seed 3 --apply bug.sql
out_lacks '; score'
runs 2 mutate bank.yaml --kill 00000000
err "no mutant '00000000'"

# A mutant that loops for ever is stopped, one that ends its server process is told, and the others are graded all the
# same.
runs 0 mutate bank.yaml --seed 3 --only 'move(*' -v --jobs 2
grep -q '^ *timed out .*i := i - 1\|^ *timed out .*swap-arithmetic' out || complain "nothing timed out: $(cat out)"
grep -q '^ *broke .*condition-true' out || complain "nothing broke: $(cat out)"
grep -q '^ *killed .*drop-statement' out || complain "nothing was killed: $(cat out)"

# --list runs none; --changed lists what the file made.
runs 0 mutate bank.yaml --list --only 'drop-check'
out 'drop-check  account.bounded'
out '- CHECK (balance < 1000000)'
out_lacks 'survived'
cat >more.sql <<'END'
ALTER TABLE account ADD CONSTRAINT small CHECK (balance < 2000000);
ALTER TABLE entry ADD COLUMN note text;
END
runs 0 mutate bank.yaml --list --only 'drop-check' --apply more.sql --changed
out 'account.small'
out_lacks 'account.bounded'
runs 2 mutate bank.yaml --changed

# One that survives is accepted with a reason; one that is killed though it is accepted is said.
bounded=$(sed -n 's/^survived  \([0-9a-f]*\)  drop-check  account.bounded$/\1/p' one)
covered=$(sed -n 's/^ *killed *\([0-9a-f]*\)  drop-check  account.covered.*/\1/p' one)
{
    cat bank.yaml
    echo "mutants: {$bounded: nobody has a million, $covered: oh well}"
} >accepted.yaml
runs 0 mutate accepted.yaml --seed 3 --only drop-check
out '1 killed, 1 accepted; score 100.0 %'
out "$covered  drop-check  account.covered, though"

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
out_lacks 'though'

# --kill shrinks what kills a mutant, and its script shows it.
runs 1 mutate bank.yaml --kill "$covered" --seed 3
out 'rule move'
out "mutate bank.yaml --examples 2000 --kill $covered --seed 3"
err "mutant $covered is killed"
[ -f "counterexamples/mutant-$covered.sql" ] || complain "no file with the fault"
rm -rf counterexamples

# Ids outlive what changes elsewhere.
sed 's/CREATE TABLE entry/CREATE TABLE extra (x int CHECK (x > 0)); &/; s/balance int/balance bigint/' bank.sql >other.sql
sed 's/bank.sql/other.sql/' bank.yaml >other.yaml
runs 0 mutate other.yaml --list --only "$bounded"
out "$bounded  drop-check  account.bounded"

# run --prove
runs 0 run bank.yaml --seed 3 --prove 2 --no-save
out 'mutants  bank  2: '

finish
