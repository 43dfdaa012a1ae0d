#!/bin/sh
# A run leaves nothing behind, however it ends: Ctrl-C, SIGTERM, a killed program, a killed server.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
named="-h $PGHOST -p $PGPORT -U $PGUSER -d $PGDATABASE"
unset PGHOST PGPORT PGUSER PGDATABASE

databases() {
    # shellcheck disable=SC2086 # words
    psql -qXAt $named --command "SELECT datname FROM pg_database ORDER BY 1"
}
before=$(databases)

echo 'CREATE TABLE t (n int);' >simple.sql
# Runs until it is stopped; says on standard error when it has begun.
cat >long.yaml <<END
machine: long
schema: simple.sql
settings: {statement_timeout: 100s, examples: 1000000}
model: |
  print("begun")
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END
# The same, waiting for one statement.
sed 's/INSERT INTO t VALUES (1)/SELECT pg_sleep(90)/; s/machine: long/machine: asleep/' long.yaml >asleep.yaml

begun() { grep -q begun err; }
sleeping() {
    # shellcheck disable=SC2086
    psql -qXAt $named --command "SELECT 'sleeping' FROM pg_stat_activity
        WHERE wait_event = 'PgSleep'" |
        grep -q sleeping
}
server_pid() { cat "$TMPDIR"/*/data/postmaster.pid 2>/dev/null | head -n 1; }
server_runs() { [ -n "$(server_pid)" ]; }

# On the embedded server, by each signal.
for signal in INT TERM HUP; do
    begin run long.yaml
    until_true begun
    kill -s "$signal" $!
    ends 130
    out "stop  long"
    out "interrupted"
    err_lacks "error"
    left_nothing
done

# In the middle of a statement, on a named server: the statement is cancelled there, too.
# shellcheck disable=SC2086
begin run asleep.yaml $named
until_true sleeping
kill -s INT $!
ends 130
out "interrupted"
! sleeping || complain "$said: the statement goes on"
[ "$before" = "$(databases)" ] || complain "$said: databases left behind: $(databases)"

# While a failure is being shrunk: the shortest so far is reported and written down.
cat >sum.sql <<'SQL'
CREATE TABLE sums (n int);
-- A call that takes long, when a failure was found, and before it is as short as can be. Calls are counted by locks
-- of the session, which outlast the rollback of an example.
CREATE FUNCTION add(n int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    calls int := count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid();
BEGIN
    IF calls = 200 THEN
        PERFORM pg_sleep(90);
    END IF;
    PERFORM pg_advisory_lock(calls);
    INSERT INTO sums VALUES (n);
END;
$$;
SQL
cat >sum.yaml <<'END'
machine: sum
schema: sum.sql
settings: {statement_timeout: 100s, steps: 30}
rules:
  add:
    args: {n: "integers(0, 1000)"}
    sql: SELECT add(:n)
  idle: {sql: SELECT 1}
  sit: {sql: SELECT 2}
invariants:
  small: {sql: "SELECT coalesce(sum(n), 0) FROM sums", check: result.value < 4000}
END
# shellcheck disable=SC2086
begin run sum.yaml --seed 5 $named
until_true sleeping
kill -s INT $!
ends 130
out "FAIL  sum  invariant small"
out "interrupted: this is the shortest so far"
out "stop  sum"
err "writing what was found; interrupt again to end at once"
sed -n 's/.*found in example [0-9]* (\([0-9]*\) steps).* shrunk to \([0-9]*\) steps.*/\1 -gt \2/p' out >shorter.txt
# shellcheck disable=SC2046 # an expression
[ $(cat shorter.txt) ] || complain "$said: no shorter than it was found"
[ -n "$(find .pgfsm/sum -name '*.trace')" ] || complain "$said: no trace is kept"
# shellcheck disable=SC2086
runs 1 replay counterexamples/sum-small.sql $named
[ "$before" = "$(databases)" ] || complain "$said: databases left behind: $(databases)"

# A second Ctrl-C ends it at once; the server goes all the same.
begin run asleep.yaml
until_true begun
kill -s INT $!
kill -s INT $!
ends 130
until_true nothing_left

# Ctrl-C with several machines: the rest is not run.
begin run long.yaml long.yaml
until_true begun
kill -s INT $!
ends 130
out "2 machines: 1 stopped, 1 not run"

# The program that started it is gone, and with it the other end of standard input.
mkfifo input
said="pgfsm run --until-eof"
: >out
: >err
"$PROGRAM" run asleep.yaml --until-eof <input >out 2>err &
exec 3>input
until_true begun
exec 3>&-
ends 130
out "interrupted"
left_nothing

# Killed without a chance to tidy up.
begin run long.yaml
until_true begun
kill -s KILL $!
ends 137
until_true nothing_left

# So, too, while a failure is being shrunk: its trace is there, and can be run again.
kept() { [ -n "$(find .pgfsm/sum -name '*.trace')" ]; }
rm -rf .pgfsm counterexamples
begin run sum.yaml --seed 5
until_true kept
kill -s KILL $!
ends 137
until_true nothing_left
runs 1 replay .pgfsm/sum/*.trace
out "FAIL  sum  invariant small"

# And with something shrunk, while other failures are looked for: its script is there.
cat >hang.yaml <<'END'
machine: hang
schema: simple.sql
settings: {statement_timeout: 100s}
rules:
  add: {sql: INSERT INTO t VALUES (1)}
  hang: {sql: SELECT pg_sleep(90)}
invariants:
  few: {sql: SELECT count(*) FROM t, check: result.value < 2}
examples:
  - name: two
    steps: |
      add()
      add()
END
begin run hang.yaml
until_true test -e counterexamples/hang-few.sql
kill -s KILL $!
ends 137
until_true nothing_left
runs 1 replay counterexamples/hang-few.sql
left_nothing

# The embedded server is killed while a run is on.
begin run long.yaml
until_true begun
until_true server_runs
kill -s KILL "$(server_pid)"
ends 3
err "error:"
out "stop  long"
until_true nothing_left

# A connection to a named server is cut.
# shellcheck disable=SC2086
begin run long.yaml $named
until_true begun
# shellcheck disable=SC2086
psql -qX $named --command "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname NOT IN ('postgres', 'template0', 'template1')" >/dev/null
ends 3
err "error:"
no_databases_left() { [ "$before" = "$(databases)" ]; }
until_true no_databases_left

# A reader that went away.
said="pgfsm run | head"
{ "$PROGRAM" run long.yaml long.yaml --examples 1 2>err; echo $? >status; } | head -c 0
grep -q 2 status || complain "$said: exit status $(cat status), not 2"
left_nothing
finish
