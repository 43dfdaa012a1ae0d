#!/bin/sh
# computed.sh SEEDS EXAMPLES: clients that read, compute and write in one transaction.
#
# A lost update is found from SEEDS seeds by its name, and its trace and script show it again; clients that lock the row,
# look at its version or send the step again hold over so many examples. A script reads what its client read, and
# computes from that.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
seeds=$1 examples=$2
tries=$((examples < 100 ? examples : 100))

cat >account.sql <<'END'
CREATE TABLE account (id integer PRIMARY KEY, balance integer NOT NULL, owner text NOT NULL, version integer NOT NULL);
CREATE VIEW balances AS SELECT id, balance, owner FROM account;
END
# machine NAME READ WRITE MODEL [KEY: VALUE]: the settings get the last one.
machine() {
    cat >"$1.yaml" <<END
machine: $1
schema: account.sql
settings: {sessions: 2${5:+, $5}}
dataset:
  account: [{id: 1, balance: 100, owner: ann, version: 0}, {id: 2, balance: 100, owner: bob, version: 0}]
model: "balance = {1: 100, 2: 100}"
rules:
  withdraw:
    args: {id: "sampled_from([1, 2])", amount: "integers(1, 60)"}
    sql:
      - {sql: "SELECT balance, owner, version FROM account WHERE id = :id $2", result: read}
      - let: {rest: read.balance - amount}
        sql: UPDATE account SET owner = :read.owner, balance = :rest, version = :read.version + 1 WHERE id = :id $3
        result: written
    model: |
      $4
invariants:
  balance: {sql: "SELECT id, balance FROM account", expect: balance}
END
}
always='balance[id] -= amount'
machine plain '' '' "$always"
machine locked 'FOR UPDATE' '' "$always"
machine versions '' 'AND version = :read.version' "balance[id] -= amount if written.count else 0"
machine snapshot '' '' "$always" 'isolation: repeatable read'
machine again '' '' "$always" 'isolation: repeatable read, retry: 3'

seed=0
while [ $seed -lt "$seeds" ]; do
    seed=$((seed + 1))
    rm -rf .pgfsm
    runs 1 run plain.yaml --seed $seed --examples $tries -d postgres
    out '  lost update: '
    out 'shrunk to 2 steps'
done
runs 1 replay .pgfsm/plain/*.trace -d postgres
out '  lost update: '
runs 1 replay counterexamples/plain*.sql -d postgres
out 'A1 gives (100,ann,0); '
for name in locked versions snapshot again; do
    runs 0 run $name.yaml --seed 1 --examples "$examples" -d postgres
    out "ok  $name "
done

# One session: the client reads a view that is wrong. Once it is right, the client writes something else.
sed '/^settings:/d; s/machine: plain/machine: view/; s/owner, version FROM account/owner, 0 AS version FROM balances/
    s/balance = :rest, version = :read.version + 1/balance = 2 * (:rest) - :rest/' \
    plain.yaml >view.yaml
sed 's/SELECT id, balance, owner FROM/SELECT id, balance + 1 AS balance, owner FROM/' account.sql >wrong.sql
mv account.sql right.sql
echo 'CREATE OR REPLACE VIEW balances AS SELECT id, balance + 1 AS balance, owner FROM account;' >wrong-view.sql
cp wrong.sql account.sql
runs 1 run view.yaml --seed 1 --examples $tries -d postgres
out 'shrunk to 1 step'
runs 1 replay counterexamples/view-balance.sql -d postgres
cp right.sql account.sql
runs 0 replay counterexamples/view-balance.sql -d postgres
out 'ok 1 - view'
runs 0 run view.yaml --seed 1 --examples $tries -d postgres

# What else runs such rules: clients that die, two schemas, faults of the schema.
runs 0 run locked.yaml --seed 1 --examples $tries --crash -d postgres
runs 1 diff view.yaml --apply wrong-view.sql -d postgres --seed 1 --examples $tries

# What a statement computes is no other than what its rule computes, also where shrinking goes on from a saved beginning.
cat >counter.sql <<'END'
CREATE TABLE counter (n int NOT NULL);
INSERT INTO counter VALUES (0);
END
cat >statement.yaml <<'END'
machine: counter
schema: counter.sql
settings: {seed: 1, examples: 50}
model: |
  total = 0
  n = 0
rules:
  buy:
    args: {k: "integers(0, 9)"}
    sql:
      - let: {cost: 2 * k + 1}
        sql: UPDATE counter SET n = n + :cost
    model: |
      total += cost
      n += 1
  noise: {sql: SELECT 1}
  wrong: {precondition: n >= 6 and total % 7 == 3, sql: SELECT n FROM counter, expect: "[0]"}
END
sed 's/^    sql:$/    let: {cost: 2 * k + 1}/; /- let:/d; s/^        sql: UPDATE/    sql: UPDATE/' statement.yaml >rule.yaml
for name in statement rule; do
    runs 1 run $name.yaml --no-save -d postgres
    grep -o 'found in example .* runs' out >$name.found
done
cmp statement.found rule.found || complain 'shrinking took other ways'
left_nothing
finish
