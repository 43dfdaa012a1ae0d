#!/bin/sh
# Several sessions: a failure as text and as JSON, the output of --stats, and a trace that runs with its sessions again
# even if neither the machine nor the command line requests sessions.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
common_begin
trap 'common_end; server_stop' EXIT
cat >schema.sql <<'EOF_SQL'
CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100);
CREATE FUNCTION add(amount int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE held int;
BEGIN
    SELECT balance INTO held FROM accounts WHERE id = 1;
    UPDATE accounts SET balance = held + amount WHERE id = 1;
    RETURN held + amount;
END $$;
EOF_SQL
cat >mend.sql <<'END'
CREATE OR REPLACE FUNCTION add(amount int) RETURNS int LANGUAGE sql AS
    'UPDATE accounts SET balance = balance + amount WHERE id = 1 RETURNING balance';
END
cat >account.yaml <<'END'
machine: account
schema: schema.sql
model: balance = 100
rules:
  add: {args: {amount: "integers(1, 9)"}, sql: "SELECT add(:amount)", expect: balance + amount, model: balance += amount}
settings: {seed: 1}
END

runs 1 run account.yaml --sessions 2 --report json=out.json
out 'FAIL  account  2 sessions: A1 add, B1 add: no order explains the answers'
out '  A1  add(amount=1)'
out '  A1  SELECT add(1)'
out '      waits for a lock of '
out '  A1  COMMIT'
out '    if A1 ran first, B1 should have given 102; it gave 101'
out '  lost update: B1 overwrote what A1 had written to accounts'
out '   (also .spec for isolationtester, .trace)'
out_lacks ':amount'
grep -q '"kind":"blocked"' out.json || complain "no lock in the JSON report"
jq -se 'map(select(.type == "failure"))[0].race | .sessions == 2 and .deadlock == false and [.steps[].name] == ["A1", "B1"]
    and ([.events[] | select(.kind == "blocked") | .waits_for | length] == [1])' out.json >/dev/null ||
    complain "the race as JSON: $(grep '"race"' out.json)"
/usr/bin/python3 - "$schema" out.json <<'PY' || complain "out.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    event = json.loads(line)
    jsonschema.validate(event, {**schema, "oneOf": [{"$ref": "#/$defs/" + event["type"]}]})
PY
sed -n '/^  A1/,/^  found/p' out | sed '$d' >shown

trace=$(echo .pgfsm/account/*.trace)
runs 1 replay "$trace"
sed -n '/^  A1/,/^  found/p' out | sed '$d' | diff shown - || complain "the replay shows something else"
runs 0 replay --apply mend.sql "$trace"
out 'no longer fails'
out_lacks "can't run any more"
sed 's/  add: {/&precondition: balance < 0, /' account.yaml >never.yaml
runs 0 replay --apply mend.sql --machine never.yaml "$trace"
out "2 of its steps can't run any more"

rm -r .pgfsm
runs 0 run account.yaml --apply mend.sql --sessions 2 --examples 20 --stats
out '    side by side   20 examples, 81 schedules, '
out ' of them miss a race that all these examples contain with at most '

# A rule that never succeeds may need a history that is longer than a beginning.
sed '$d' account.yaml >refused.yaml
echo '  clear: {sql: DELETE FROM accounts WHERE balance > 9000, affects: "1 if balance > 9000 else 0"}' >>refused.yaml
runs 0 run refused.yaml --apply mend.sql --sessions 2 --seed 1 --examples 40
out 'clear: the model expects that nothing comes of 100% of '
out 'examples with sessions are short: make what it needs in '

# If both sides have the same number of rows, the report shows the differing row for each order.
sed 's/expect: balance + amount, //; $d' account.yaml >rows.yaml
cat >>rows.yaml <<'END'
invariants:
  balances: {sql: "SELECT id, balance FROM accounts", expect: "{1: balance, 2: 7}"}
settings: {seed: 1}
END
echo 'INSERT INTO accounts VALUES (2, 7);' >second.sql
runs 1 run rows.yaml --apply second.sql --sessions 2
out '    if A1 ran first, invariant balances should have given id=1, balance=102; it gave id=1, balance=101'

# Steps that change the catalog: each schedule begins in a new copy of the database, and the example still counts.
cat >alter.yaml <<'END'
machine: alter
schema: schema.sql
rules:
  alter: {sql: ALTER TABLE accounts ALTER balance SET DEFAULT 1}
END
runs 0 run alter.yaml --sessions 2 --examples 2 --seed 1 -v
[ "$(grep -oE '^ +[0-9]+  [AB]  ' err | tr -d ' 0-9' | sort -u | tr -d '\n')" = AB ] || complain "$said: -v tells sessions from each other"
out 'ok  alter  2 examples, '

# A deadlock is another failure than a lost update: both are found in one run, and each keeps its trace.
cat >swap.sql <<'EOF_SQL'
INSERT INTO accounts VALUES (2, 100);
CREATE FUNCTION touch(first_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts SET balance = balance WHERE id = first_id;
    UPDATE accounts SET balance = balance WHERE id = 3 - first_id;
END $$;
EOF_SQL
sed '/^settings/d' account.yaml >both.yaml
cat >>both.yaml <<'END'
  touch: {args: {id: "integers(1, 2)"}, sql: "SELECT touch(:id)", weight: 3}
settings: {seed: 1}
END
runs 1 run both.yaml --sessions 2 --apply swap.sql --seed 8 --examples 40
out 'FAIL  account  2 sessions: '
out 'FAIL  account  2 sessions: A1 touch and B1 touch deadlocked'
out '-> error: deadlock_detected (40P01):'
[ "$(grep -c '^FAIL' out)" = 2 ] || complain "not two failures: $(cat out)"
[ "$(find .pgfsm -name 'sessions-deadlock-*.trace' -o -name 'sessions-no-serial-order-*.trace' | wc -l)" = 2 ] ||
    complain "not two traces: $(ls .pgfsm/account)"
# The one that a deadlock ended never had the lock, and ended before the other one went on.
[ "$(grep -c 'has the lock' out)" -le 2 ] || complain "a lock too much: $(cat out)"
sed -n '/touch deadlocked/,/no order/p' out | grep -n 'has the lock\|error: dead' | head -n 1 | grep -q 'error: dead' ||
    complain "the lock comes before the deadlock: $(cat out)"

# At READ COMMITTED, applications don't expect to retry a transaction, so a serialization failure is an ordinary error.
# It occurs when a row moves to another partition, and in functions.
cat >moved.sql <<'EOF_SQL'
CREATE TABLE jobs (id int NOT NULL, state text NOT NULL) PARTITION BY LIST (state);
CREATE TABLE open_jobs PARTITION OF jobs FOR VALUES IN ('open');
CREATE TABLE done_jobs PARTITION OF jobs FOR VALUES IN ('done');
INSERT INTO jobs VALUES (1, 'open');
CREATE FUNCTION claim() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT pg_try_advisory_xact_lock(1) THEN
        RAISE 'try again' USING ERRCODE = 'serialization_failure';
    END IF;
    UPDATE jobs SET id = id;
END $$;
EOF_SQL
# moved STATUS RULE SETTINGS
moved() {
    cat >moved.yaml <<END
machine: moved
schema: moved.sql
rules:
  $2
settings: {seed: 1, examples: 40, sessions: 2$3}
END
    rm -rf .pgfsm
    runs "$1" run moved.yaml
}
move="move: {args: {to: \"sampled_from(['open', 'done'])\"}, sql: UPDATE jobs SET state = :to"
for rule in "$move}" 'claim: {sql: SELECT claim()}'; do
    [ "$rule" = "$move}" ] || [ -n "$TEST_ALL" ] || continue # the second one by night
    moved 1 "$rule" ', isolation: read committed'
    out ' raises serialization_failure, which no order predicts'
    moved 0 "$rule" ', retry: 9'
    moved 0 "${rule%\}}, raises: '[None, serialization_failure]'}" ''
    moved 0 "$rule" ', isolation: serializable'
    out ' lost against another session, and count as not done'
done
left_nothing
finish
