#!/bin/sh
# Traces in which sessions end in the middle of a step, or another session sends a step again.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
machines=$(cd "$(dirname "$0")/../crash" && pwd)
common_begin
trap 'common_end; server_stop' EXIT
cp "$machines"/batches* .

# A procedure that commits in batches ends between two of its transactions, or is over before; with sessions, too. The
# trace names the gate.
cat >within.trace <<'END'
pgfsm trace 1
machine =batches
failure =invariant%20invoices
seed 1
example 1
step 0 =order
  arg
    int 1 1 1000 1
  end
step 1 =bill
dies within 3
step 2 =bill
again 1
END
sed '/^step [12]/s/$/ 1/' within.trace >sessions.trace
cat >>sessions.trace <<'END'
step 3 =order 2
  arg
    int 2 1 1000 1
  end
END
sed 's/within 3/within 30/' within.trace >late.trace
runs 0 replay --machine batches.yaml within.trace
runs 0 replay --machine batches.yaml sessions.trace
cp batches.sql right.sql
cp batches-wrong.sql batches.sql
runs 0 replay --machine batches.yaml late.trace
runs 1 replay --machine batches.yaml sessions.trace
out 'CALL bill()  -> the server ends the session'
runs 1 replay --machine batches.yaml within.trace --report json=out.json
out '2  bill()   # its session ends in the middle'
jq -se 'map(select(.type == "failure"))[0] | .deaths == [{step: 2, when: "within"}]' out.json >/dev/null ||
    complain "the deaths as JSON: $(grep '"failure"' out.json)"

# The script runs that step on a connection of its own, which ends at the same gate; on the right schema, too.
runs 1 run batches.yaml --seed 1 --examples 8
out '# its session ends in the middle'
runs 1 replay counterexamples/batches-invoices.sql
out '# unexpected rows: {"about":'
cp right.sql batches.sql
runs 0 replay counterexamples/batches-invoices.sql
out 'ok 1 - batches'

# It also comes there behind a query without rows.
cat >empty.sql <<'END'
CREATE TABLE keys (key integer);
CREATE TABLE payments (key integer);
END
cat >empty.yaml <<'END'
machine: empty
schema: empty.sql
settings: {transactions: commit, steps: 5, seed: 1, examples: 200}
model: n = 0
rules:
  pay:
    transaction: none
    crash: {then: nothing, model: n = commits}
    sql: [SELECT key FROM keys WHERE false, INSERT INTO keys VALUES (1), INSERT INTO payments VALUES (1)]
invariants:
  paid: SELECT 1 WHERE (SELECT count(*) FROM keys) > (SELECT count(*) FROM payments)
END
rm -rf counterexamples
runs 1 run empty.yaml
out '# its session ends in the middle'
runs 1 replay counterexamples/empty-paid.sql
out 'not ok 1'

# Another session sends it: only after the death, so that it counts as later in every order.
cat >another.sql <<'END'
CREATE TABLE keys (key integer);
CREATE TABLE payments (key integer);
END
cat >another.yaml <<'END'
machine: another
schema: another.sql
settings: {sessions: 2, steps: 5}
model: paid = 0
rules:
  pay:
    limit: 1
    crash: {then: another}
    let: {first: paid == 0}
    sql: INSERT INTO payments SELECT 1 WHERE NOT EXISTS (SELECT FROM keys)
    affects: 1 if first else 0
    model: paid = 1
END
cat >another.trace <<'END'
pgfsm trace 1
machine =another
failure =sessions%3A%20no%20serial%20order
seed 1
example 1
step 0 =pay 1
dies after
step 1 =pay 2
again 0
END
{ cat another.trace; echo order 2 1; } >early.trace
runs 1 replay --machine another.yaml another.trace
out 'B1  pay()   # again'
out 'if A1 ran first, B1 should have given no rows; it gave 1 row'
runs 0 replay --machine another.yaml early.trace
out '1 of its steps can'"'"'t run any more'
finish
