#!/bin/sh
# Clients that die: in the trace, the report, the script and the counts. Machines for it: tests/crash/.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
machines=$(cd "$(dirname "$0")/../crash" && pwd)
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
common_begin
trap 'common_end; server_stop' EXIT
cp "$machines"/* .

# Without deaths the wrong schema can't be told from the right one.
# Few values, so that little is left to shrink.
sed -i 's/steps: 20/steps: 4/; s/integers(1, 1000)/integers(1, 3)/; s/integers(1, 9)/integers(1, 2)/' idempotency.yaml
sed 's/idempotency.sql/idempotency-wrong.sql/; /crash:/d' idempotency.yaml >live.yaml
runs 0 run live.yaml --examples 10 --seed 1 --no-save

# The answer to the COMMIT is lost, so the client pays again.
sed 's/idempotency.sql/idempotency-wrong.sql/' idempotency.yaml >wrong.yaml
runs 1 run wrong.yaml --seed 1 --report json=out.json
out '1  pay(key=1, amount=1)   -> None   # dies after its COMMIT'
out '2> pay(key=1, amount=1)   -> None   # again'
jq -se 'map(select(.type == "failure"))[0] | .deaths == [{step: 1, when: "after"}]' out.json >/dev/null ||
    complain "the deaths as JSON: $(grep '"failure"' out.json)"
/usr/bin/python3 - "$schema" out.json <<'PY' || complain "out.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    jsonschema.validate(json.loads(line), schema)
PY
grep -q '^dies after$' .pgfsm/*/*.trace || complain "no death in the trace"
runs 1 replay idempotency-paid
out '# dies after its COMMIT'
runs 1 replay counterexamples/idempotency-paid.sql
out '# unexpected rows: {"key":1,"amount":1}'
cp idempotency.sql idempotency-wrong.sql
runs 0 replay counterexamples/idempotency-paid.sql
out 'ok 1 - idempotency'

# The session ends with the client, whatever the step came to: its locks go. So does what its transaction did.
cat >session.sql <<'END'
CREATE TABLE t (id integer PRIMARY KEY);
CREATE FUNCTION keep(job integer) RETURNS boolean LANGUAGE sql AS $$
    INSERT INTO t VALUES (job);
    SELECT pg_try_advisory_lock(job);
$$;
END
cat >session.yaml <<'END'
machine: session
schema: session.sql
settings: {transactions: commit, seed: 1, examples: 5, steps: 5}
model: 'rows = []'
rules:
  keep:
    args: {job: 'integers(1, 100)'}
    where: job not in rows
    crash: {then: nothing}
    sql: SELECT keep(:job)
    model: rows.append(job)
invariants:
  rows: {sql: SELECT id FROM t, expect: set(rows)}
  locks:
    sql: SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    check: result.count <= len(rows)
END
runs 0 run session.yaml --no-save --stats
out 'before their COMMIT'
sed -i 's/check: result.count <= len(rows)/check: result.count == len(rows)/' session.yaml
cat >session.trace <<'END'
pgfsm trace 1
machine =session
failure =invariant%20locks
seed 1
example 1
step 0 =keep
  arg
    int 1 1 100 1
  end
step 1 =keep
dies before
  arg
    int 2 1 100 1
  end
END
runs 1 replay --machine session.yaml session.trace
out '# dies before its COMMIT'

# Rules that don't speak of deaths: what the model does not allow is not sent again.
sed '/crash:/d' idempotency.yaml >plain.yaml
runs 0 run plain.yaml --crash --no-save --seed 1 --examples 10 --stats
out 'not: the model allows no such step then'
finish
