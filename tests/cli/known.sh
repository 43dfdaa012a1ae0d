#!/bin/sh
# `xfail`: known failures don't fail a run and don't hide other failures, and the run reports those
# that no longer occur.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# A deposit of more than 100 counts twice; a balance of 400 is refused.
cat >account.sql <<'END'
CREATE TABLE account (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    balance int NOT NULL DEFAULT 0 CHECK (balance < 400), deposits int NOT NULL DEFAULT 0);
CREATE FUNCTION deposit(a int, n int) RETURNS void LANGUAGE sql AS $$
    UPDATE account SET balance = balance + n, deposits = deposits + CASE WHEN n > 100 THEN 2 ELSE 1 END
    WHERE id = a $$;
END
sed 's/> 100/> 100000/' account.sql >mended.sql

# machine SCHEMA: the machine, with lines from the variables mark, rule_mark and examples.
mark='xfail: counted twice above 100 (issue 12)'
rule_mark='label: None'
examples=
machine() {
    cat >account.yaml <<END
machine: account
schema: $1
settings: {examples: 20, steps: 30}
model: |
  balances = {}
  deposits = {}
rules:
  open:
    sql: INSERT INTO account DEFAULT VALUES RETURNING id
    target: balances
    value: 0
    model: deposits[result.value] = 0
  deposit:
    $rule_mark
    args: {account: balances, n: 'integers(1, 200)'}
    sql: SELECT deposit(:account, :n)
    $raises
    model: |
      balances[account] += n
      deposits[account] += 1
invariants:
  balances: {sql: "SELECT id, balance FROM account", expect: balances}
  deposits:
    $mark
    sql: SELECT id, deposits FROM account
    expect: deposits
$examples
END
}
raises='raises: check_violation if balances[account] + n >= 400 else None'

# An invariant: every example continues after it, and the count is the same in each mode.
machine account.sql
runs 0 run account.yaml --seed 1
out "ok  account  20 examples, 600 steps"
grep -qE 'known failure  invariant deposits: failed [0-9,]+ times; counted twice above 100 \(issue 12\)' out ||
    complain "$said: $(cat out)"
grep -v '^ok' out >first
runs 0 run account.yaml --seed 1 --jobs 2
grep -v '^ok' out | diff first - || complain "$said: not what one connection reports"
runs 0 run account.yaml --seed 1 --no-pipeline
grep -v '^ok' out | diff first - || complain "$said: not what running ahead reports"
[ ! -e counterexamples ] || complain "a script of a known failure: $(ls counterexamples)"

# Other failures are found, shrunk and reported as usual.
raises=
machine account.sql
runs 1 run account.yaml --seed 1 --no-save
out "FAIL  account  rule deposit"
out "check_violation"
out "known failure  invariant deposits"
raises='raises: check_violation if balances[account] + n >= 400 else None'

# If it holds, the mark is out of date, unless the run was incomplete or the mark is not strict.
machine mended.sql
runs 1 run account.yaml --seed 1
out "FAIL  account  invariant deposits holds, but is marked xfail"
out "reason   counted twice above 100 (issue 12)"
out "it did not fail in 620 checks: remove xfail"
runs 0 run account.yaml --seed 1 --rule open
out "known failure  invariant deposits: not seen in this run"
runs 0 run account.yaml --seed 1 --shard 1/2
mark='xfail: {reason: now and then, strict: false}'
machine mended.sql
runs 0 run account.yaml --seed 1
out "known failure  invariant deposits: not seen in this run; now and then"

# A rule: its failing step ends the example, and the run goes on.
mark='when: end'
raises=
rule_mark='xfail: no bound is predicted'
machine mended.sql
runs 0 run account.yaml --seed 1
out "ok  account  20 examples"
grep -qE 'known failure  rule deposit: failed [0-9]+ times; no bound is predicted' out ||
    complain "$said: $(cat out)"
raises='raises: check_violation if balances[account] + n >= 400 else None'
machine mended.sql
runs 1 run account.yaml --seed 1
out "FAIL  account  rule deposit holds, but is marked xfail"

# A query that raises ends the example, too.
rule_mark='label: None'
mark='xfail: no such column'
machine mended.sql
sed 's/SELECT id, deposits FROM account/SELECT id, 1 \/ (deposits - deposits) FROM account/' account.yaml >raising.yaml
runs 0 run raising.yaml --seed 1
out "known failure  invariant deposits: failed"

# A pinned example.
mark='when: end'
examples='examples:
  - name: a large deposit
    xfail: {reason: counted twice}
    steps: |
      open()
      deposit(account=balances_1, n=150)'
machine account.sql
runs 1 run account.yaml --seed 1 --no-save
out "FAIL  account  invariant deposits"
out "known failure  example 'a large deposit': failed 1 time; counted twice"
machine mended.sql
runs 1 run account.yaml --seed 1
out "FAIL  account  example 'a large deposit' holds, but is marked xfail"

# An example in which a marked invariant does not hold fails as it should.
mark='xfail: counted twice'
machine account.sql
runs 0 run account.yaml --seed 1
out "known failure  invariant deposits: failed"
out "known failure  example 'a large deposit': failed 1 time; counted twice"

# No examples, no judgement.
mark='xfail: counted twice'
examples=
machine mended.sql
runs 5 run account.yaml --examples 0
out_lacks "is marked xfail"

# A replayed trace shows its failure.
examples=
mark='when: step'
machine account.sql
runs 1 run account.yaml --seed 1
trace=$(find .pgfsm -name '*.trace' | head -n 1)
mark='xfail: counted twice'
machine account.sql
runs 1 replay "$trace"
out "FAIL  account  invariant deposits"
left_nothing
finish
