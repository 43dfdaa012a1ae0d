#!/bin/sh
# Sessions that wait for ever: for locks that a session keeps after its last step, and in functions that sleep until
# another session has done something.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
common_begin
trap 'common_end; server_stop' EXIT

cat >schema.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO t VALUES (1, 0);
END
machine() {
    cat <<END
machine: locks
schema: schema.sql
settings: {seed: 1, examples: 20}
rules:
  write: {sql: "UPDATE t SET n = n + 1"}
END
}

# A session-level lock that no step releases. The run's time limit does not hide the failure.
(machine && echo '  lock: {sql: "SELECT pg_advisory_lock(5)"}') >locks.yaml
for time in '' '--max-time 60s'; do
    rm -rf .pgfsm counterexamples
    # shellcheck disable=SC2086 # words
    runs 1 run locks.yaml --sessions 2 --report json=out.json $time
    out 'FAIL  locks  2 sessions: B1 lock waits for a lock that A keeps after its last step'
    out 'shrunk to 2 steps'
    out '-> error: query_canceled (57014): it waits'
    out_lacks 'has the lock'
done
jq -se 'map(select(.type == "failure"))[0].race | .kept_lock and (.deadlock | not)' out.json >/dev/null ||
    complain "the race as JSON: $(grep '"race"' out.json)"
/usr/bin/python3 - "$schema" out.json <<'PY' || complain "out.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    event = json.loads(line)
    jsonschema.validate(event, {**schema, "oneOf": [{"$ref": "#/$defs/" + event["type"]}]})
PY
runs 1 replay .pgfsm/locks/sessions-kept-lock-*.trace
out 'B1 lock waits for a lock that A keeps'
script=$(echo counterexamples/locks-sessions-kept-lock*.sql)
runs 1 replay "$script"
out 'not ok 1'
sed 's/pg_advisory_lock(5)/pg_advisory_xact_lock(5)/' "$script" >counterexamples/right.sql
runs 0 replay counterexamples/right.sql
out 'ok 1 - locks'

# Locks of the transaction are released, those of the session are not. The same holds after a step that failed, and if
# two sessions keep a lock that a third one waits for.
(machine && echo '  lock: {sql: ["SELECT pg_advisory_lock_shared(5)", "SELECT 1 / 0"], raises: division_by_zero}
  all: {sql: "SELECT pg_advisory_xact_lock(5)", weight: 2}') >shared.yaml
rm -rf .pgfsm
runs 1 run shared.yaml --sessions 3
grep -Eq 'waits for a lock that (. keeps after its last step|. and . keep after their last steps)$' out || complain "shared: $(cat out)"

# The wait may be predicted, and a lock that is released does not count as kept.
(machine && echo '  lock: {sql: "SELECT pg_advisory_lock(5)", raises: "[None, query_canceled]"}') >predicted.yaml
runs 0 run predicted.yaml --sessions 2
(machine && echo '  lock: {sql: ["SELECT pg_advisory_lock(5)", "UPDATE t SET n = n + 1", "SELECT pg_advisory_unlock(5)"], expect: True}') >given.yaml
runs 0 run given.yaml --sessions 3

# A function that waits by asking again and again: the session that it waits for goes on.
cat >polls.sql <<'EOF_SQL'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO t VALUES (1, 0);
CREATE FUNCTION bump() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
    WHILE NOT pg_try_advisory_xact_lock(7) LOOP PERFORM pg_sleep(0.01); END LOOP;
    v := (SELECT n FROM t);
    UPDATE t SET n = v + 1;
    RETURN v + 1;
END $$;
EOF_SQL
cat >wrong.sql <<'EOF_SQL'
CREATE OR REPLACE FUNCTION bump() RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int := (SELECT n FROM t);
BEGIN
    WHILE NOT pg_try_advisory_xact_lock(7) LOOP PERFORM pg_sleep(0.01); END LOOP;
    UPDATE t SET n = v + 1;
    RETURN v + 1;
END $$;
EOF_SQL
cat >polls.yaml <<'END'
machine: polls
schema: polls.sql
settings: {seed: 1, examples: 10, isolation: read committed}
model: n = 0
rules:
  bump: {sql: SELECT bump(), expect: n + 1, model: n += 1}
END
runs 0 run polls.yaml --sessions 2 --progress always
tr '\r' '\n' <err | grep -q ' 0/10   [1-9][0-9]* steps*' || complain 'no progress in the first example'
runs 1 run polls.yaml --sessions 2 --apply wrong.sql --examples 2
out 'FAIL  polls  2 sessions: '
out '      sleeps'
out '      goes on'
runs 1 replay counterexamples/polls-sessions-no-serial-order.sql
out 'not ok 1'

# A session that waits for something that never happens reaches its time limit, and the failure says
# so.
sed 's/7) LOOP/7) OR true LOOP/' polls.sql >never.sql
cat >never.yaml <<'END'
machine: never
schema: never.sql
settings: {seed: 1, examples: 1, steps: 1, statement_timeout: 400ms}
rules:
  write: {sql: "UPDATE t SET n = n + 1", weight: 9}
  bump: {sql: SELECT bump()}
END
runs 1 run never.yaml --sessions 2
out 'canceling statement due to statement timeout'
left_nothing
finish
