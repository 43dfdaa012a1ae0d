#!/bin/sh
# max_time applies whenever the run waits for the server: the running statement is cancelled, and the report says how
# far the run came. Statements sleep longer than any test may take, so a run that waits for one would not end in time.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
docs=$(cd "$(dirname "$0")/../../docs" && pwd)
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
named="-h $PGHOST -p $PGPORT -U $PGUSER -d $PGDATABASE"
unset PGHOST PGPORT PGUSER PGDATABASE

sleeping() {
    # shellcheck disable=SC2086 # words
    psql -qXAt $named --command "SELECT 'sleeping' FROM pg_stat_activity WHERE wait_event = 'PgSleep'" |
        grep -q sleeping
}
awake() { ! sleeping; }

echo 'CREATE TABLE t (n int);' >t.sql
head='machine: slow
schema: t.sql
settings: {max_time: 1s, examples: 1000, steps: 1000, statement_timeout: 100s}'

# Each statement is quick, and a thousand of them are queued ahead: the ones answered in time count.
cat >ahead.yaml <<END
$head
rules:
  nap: {sql: SELECT pg_sleep(0.3)}
END
for options in '' --no-pipeline '--jobs 2'; do
    # shellcheck disable=SC2086
    runs 0 run ahead.yaml $named $options
    grep -qE '^ok  slow  [12] of 1,000 examples, [0-9] steps, .*; the time was up$' out || {
        complain "$said: it does not say how far it came"
        show
    }
    err_lacks interrupted
    until_true awake
done

# In a single statement of a step, or before the first step: no step was completed.
cat >step.yaml <<END
$head
rules:
  sleep: {sql: SELECT pg_sleep(1000)}
END
cat >initialize.yaml <<END
$head
initialize:
  - {sql: SELECT pg_sleep(1000)}
rules:
  one: {sql: SELECT 1}
END
for machine in step initialize; do
    for options in '' --no-pipeline '--jobs 2'; do
        # shellcheck disable=SC2086
        runs 5 run $machine.yaml $named $options
        out "none  slow  0 of 1,000 examples, 0 steps"
        out "the time was up"
        err_lacks "error"
        until_true awake
    done
done

# It is of each machine: the second one has as long. Help, the JSON Schema and docs say so.
sed 's/max_time: 1s, //' ahead.yaml >other.yaml
sed 's/machine: slow/machine: slower/' other.yaml >another.yaml
# shellcheck disable=SC2086
runs 0 run other.yaml another.yaml --max-time 1s $named
for machine in slow slower; do
    grep -qE "^ok  $machine  [12] of 1,000 examples, [1-9] steps, .*; the time was up$" out || {
        complain "$said: $machine has no time of its own"
        show
    }
done
runs 0 help run
out "stop each machine after this time"
runs 0 schema
out "How long the machine may run"
cat "$docs/COMMAND-LINE.md" "$docs/MACHINES.md" >out
out "applies to each machine"
out "time limit for the machine"
out_lacks "time limit for the run"

# While a failure is confirmed or shrunk: the shortest so far is reported, with its script. Calls are counted by
# locks of the session, which outlast the rollback of an example: one of them sleeps.
for calls in 62 120; do
    cat >sum.sql <<SQL
CREATE TABLE sums (n int);
CREATE FUNCTION add(n int) RETURNS void LANGUAGE plpgsql AS \$\$
DECLARE
    calls int := count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid();
BEGIN
    IF calls = $calls THEN
        PERFORM pg_sleep(1000);
    END IF;
    PERFORM pg_advisory_lock(calls);
    INSERT INTO sums VALUES (n);
END;
\$\$;
SQL
    cat >sum.yaml <<'END'
machine: sum
schema: sum.sql
settings: {statement_timeout: 100s, steps: 30, max_time: 3s}
rules:
  add:
    args: {n: "integers(0, 1000)"}
    sql: SELECT add(:n)
invariants:
  small: {sql: "SELECT coalesce(sum(n), 0) FROM sums", check: result.value < 4000}
END
    # shellcheck disable=SC2086
    runs 1 run sum.yaml --seed 1 $named
    out "FAIL  sum  invariant small"
    out "the time was up"
    out_lacks interrupted
    err_lacks "interrupt again to end at once"
    # shellcheck disable=SC2086
    runs 1 replay counterexamples/sum-small.sql $named
    until_true awake
    rm -rf .pgfsm counterexamples
done

# The time limits of a statement keep their meaning: reaching one in time is a failure.
sed 's/statement_timeout: 100s/statement_timeout: 100ms/; s/max_time: 1s/max_time: 60s/' step.yaml >timeout.yaml
# shellcheck disable=SC2086
runs 1 run timeout.yaml $named
out " took longer than 100 ms"
finish
