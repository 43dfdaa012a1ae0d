#!/bin/sh
# A failure is run again before it counts, and on a new connection before it is reported. The report
# says if it depends on chance or on what an earlier example left behind.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# The report without the parts that depend on time, up to the command that runs it again.
report() { sed '/^  \(replay\|stated\|again\) /d; /^[0-9]* failures\{0,1\} in /d; s/, [0-9.]* s$/, T s/' out; }

# An advisory lock outlives the rollback. In the same session the last step fails alone, because the lock is still held.
# In a new session the failure needs both steps.
cat >lock.sql <<'END'
CREATE FUNCTION work() RETURNS void LANGUAGE sql AS $$ SELECT pg_advisory_lock(7) $$;
CREATE FUNCTION working() RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
     WHERE l.locktype = 'advisory' AND d.datname = current_database()
$$;
END
cat >lock.yaml <<'END'
machine: lock
schema: lock.sql
rules:
  idle: {sql: SELECT 1}
  work: {sql: SELECT work()}
  working: {sql: SELECT working(), expect: 0}
END
cat >lock.txt <<'END'
FAIL  lock  rule working (step 2) gave 1, expected 0

  1  work()      -> None
  2> working()   -> 1

     SELECT working()
       expected (model)      0
       actual   (database)   1

END
for seed in 1 2 3; do
    runs 1 run lock.yaml --seed $seed
    report | sed '/^  found in/,$d' | diff lock.txt - || complain "$said: another report"
    runs 1 replay counterexamples/lock-working-expect.sql
done

# So does a sequence: it takes six orders from its start.
cat >serial.sql <<'END'
CREATE TABLE orders (id serial PRIMARY KEY CHECK (id <= 5));
END
cat >serial.yaml <<'END'
machine: serial
schema: serial.sql
rules:
  idle: {sql: SELECT 1}
  order: {sql: INSERT INTO orders DEFAULT VALUES}
END
runs 1 run serial.yaml --seed 1
out "FAIL  serial  rule order (step 6) raised"
runs 1 replay counterexamples/serial-order-23514-orders_id_check-orders.sql

# A custom setting is NULL in a new session and '' once it was set, whatever was rolled back: no sequence of
# steps from a fresh start comes there.
cat >setting.sql <<'END'
CREATE FUNCTION sign_in(name text) RETURNS text LANGUAGE sql AS $$ SELECT set_config('app.user', name, true) $$;
CREATE FUNCTION who() RETURNS text LANGUAGE sql AS $$ SELECT coalesce(current_setting('app.user', true), 'nobody') $$;
END
cat >setting.yaml <<'END'
machine: setting
schema: setting.sql
model: user = "nobody"
rules:
  who: {sql: SELECT who(), expect: user}
  sign_in:
    args: {name: "sampled_from(['ann', 'bob'])"}
    sql: SELECT sign_in(:name)
    model: user = name
END
cat >setting.txt <<'END'
FAIL  setting  rule who (step 1) gave "", expected "nobody"

  1> who()

     SELECT who()
       expected (model)      "nobody"
       actual   (database)   ""

  it did not fail on a new connection: it depends on something that an earlier example left behind
  and no rollback removes: a sequence's value, currval(), an advisory lock, a custom setting (''
  where it was NULL), a prepared statement; let `initialize` reset it

END
runs 1 run setting.yaml --seed 1
report | sed '/^  found in/,$d' | diff setting.txt - || complain "$said: another report"
[ ! -e counterexamples/setting-who-expect.sql ] || complain "$said: a script that does not fail"
sed 's/^model: user = "nobody"/initialize: [{sql: "SELECT sign_in('"'nobody'"')"}]\n&/' setting.yaml >put_right.yaml
runs 0 run put_right.yaml --seed 1

# Chance: the report names the step that behaved differently the second time, and possible causes. The constraint that
# the error names distinguishes failures, so that no failure occurs twice.
cat >random.sql <<'SQL'
CREATE TABLE throws (n int);
CREATE FUNCTION check_throws() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    throws bigint := (SELECT count(*) FROM throws);
BEGIN
    IF throws > 0 THEN
        RAISE EXCEPTION 'too many throws' USING CONSTRAINT = 'throws_' || throws;
    END IF;
END;
$$;
CREATE FUNCTION check_clock() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'too late' USING CONSTRAINT = 'at_' || extract(epoch FROM clock_timestamp());
END;
$$;
SQL
cat >random.yaml <<'END'
machine: random
schema: random.sql
model: n = 0
rules:
  throw: {precondition: n == 0, sql: "INSERT INTO throws SELECT generate_series(1, trunc(random() * 100000)::int + 1)", model: n = 1}
  check_throws: {precondition: n == 1, sql: SELECT check_throws()}
END
cat >random.txt <<'END'
FLAKY  random  rule check_throws (step 2) raised raise_exception of constraint throws_N: too many throws

  1  throw()
  2> check_throws()

     SELECT check_throws()
       expected (model)      no error
       actual   (database)   raise_exception (P0001)
         message      too many throws
         constraint   throws_N
         context      PL/pgSQL function check_throws() line 6 at RAISE

  it did not fail in the same way when it was run again: step 1, throw, gave N rows, and when run again N rows
  usual causes: the clock, random(), a sequence's value in the result, rows without ORDER BY

  found in example 1 (2 steps), seed 1

END
numberless() { sed 's/throws_[0-9]*/throws_N/; s/gave [0-9]* rows/gave N rows/; s/again [0-9]* rows/again N rows/; s/at_[0-9.]*/at_N/g'; }
runs 1 run random.yaml --seed 1 --examples 1
report | numberless | diff random.txt - || complain "$said: another report"
ls .pgfsm/random/*.trace >/dev/null || complain "$said: no trace is kept"

cat >clock.yaml <<'END'
machine: clock
schema: random.sql
rules:
  check_clock: {sql: SELECT check_clock()}
END
runs 1 run clock.yaml --seed 1 --examples 1
report | numberless >numberless.txt
said="$said, without numbers"
holds numberless.txt "FLAKY  clock  rule check_clock (step 1) raised"
holds numberless.txt "  it did not fail in the same way when it was run again: when run again it failed differently: rule check_clock: P0001 at_N, after step 1"
runs 1 run clock.yaml --last-failed
[ -z "$(find counterexamples -name 'random*' -o -name 'clock*')" ] || complain "$said: scripts of flaky failures"

# A model of more values than a fingerprint takes in; lists that share their parts make many of few.
cat >large.yaml <<'END'
machine: large
model: |
  def nest(n):
      x = [1, 1]
      for i in range(n):
          x = [x, x]
      return x
  big = nest(23)
  a, b, c, d, e, f, g, h = [], [], [], [], [], [], [], []
  n = 0
rules:
  one: {sql: SELECT 1, model: n = n + 1}
invariants:
  small: {check: n < 3}
END
runs 1 run large.yaml --seed 1 --examples 1 --no-save
out "FAIL  large  invariant small after one (step 3): n is 3, should be < 3"
left_nothing
finish
