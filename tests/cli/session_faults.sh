#!/bin/sh
# session_faults.sh
#
# Faults on a named server while one session waits at a gate or for a lock of another session: lost connections, Ctrl-C,
# SIGTERM, a server that stops. Each time the run ends as documented, reports the fault, and leaves nothing behind.
# Earlier failures are kept. A session that never ends is cancelled, but one that only waits for others is not.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

ask() { psql -qXAt --command "$1"; }
databases() { ask "SELECT datname FROM pg_database ORDER BY 1"; }
before=$(databases)
as_before() { [ "$before" = "$(databases)" ]; }

# While the role wait_gate exists, a session waits as long as another one waits at a gate. With wait_lock, a session
# that has written waits as long as another one waits for it. They don't sleep, because then the others would continue.
cat >schema.sql <<'SQL'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO t VALUES (1, 0);
CREATE FUNCTION wait_while(reason name, kind text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WHILE EXISTS (SELECT FROM pg_roles WHERE rolname = reason)
      AND EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = kind AND pid <> pg_backend_pid()) LOOP
        PERFORM count(*) FROM generate_series(1, 20000);
    END LOOP;
END $$;
CREATE FUNCTION work() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    seen int;
BEGIN
    PERFORM wait_while('wait_gate', 'advisory');
    seen := (SELECT n FROM t WHERE id = 1 FOR UPDATE);
    UPDATE t SET n = seen + 1 WHERE id = 1;
    PERFORM wait_while('wait_lock', 'transactionid');
    RETURN seen;
END $$;
SQL
cat >machine.yaml <<'END'
machine: faults
schema: schema.sql
settings: {sessions: 2, examples: 20, steps: 4, statement_timeout: 100s, seed: 1}
model: n = 0
rules:
  work: {sql: SELECT work(), expect: n, model: n += 1}
invariants:
  n: {sql: SELECT n FROM t, expect: n}
END
# The same if work loses updates and is slow, so that shrinking takes longer than the fault.
sed 's/ FOR UPDATE//; s/    RETURN seen/    PERFORM count(*) FROM generate_series(1, 300000);\n&/' schema.sql >wrong.sql
sed 's/schema.sql/wrong.sql/; s/machine: faults/machine: wrong/' machine.yaml >wrong.yaml

waits() { ask "SELECT 'yes' FROM pg_stat_activity AS a WHERE $1 AND pid <> pg_backend_pid()" | grep -q yes; }
lock="EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid AND NOT l.granted AND l.locktype ="
at_gate="$lock 'advisory')"
at_lock="$lock 'transactionid')"
holding="state = 'active' AND wait_event IS NULL AND query ~ 'work' AND query_start < clock_timestamp() - interval '0.1 s'"
no_sessions() { ! waits "datname ~ '^pgfsm_scratch'"; }
# It holds the locks that gates wait for.
controls="EXISTS (SELECT FROM pg_locks AS l WHERE l.pid = a.pid AND l.granted AND l.locktype = 'advisory' AND l.classid = 1885828717)"
terminate() { ask "SELECT pg_terminate_backend(pid) FROM pg_stat_activity AS a WHERE $1 AND pid <> pg_backend_pid()" >/dev/null; }
go_on() { psql -qX --command 'DROP ROLE IF EXISTS wait_gate, wait_lock' 2>/dev/null; }
rm -rf .pgfsm

# The run is in the middle of it: PLACE is gate or lock.
at() { # PLACE
    ask "CREATE ROLE wait_$1"
    begin run machine.yaml --no-save
    run=$!
    [ "$1" = gate ] && stands=$at_gate || stands=$at_lock
    until_true waits "$stands"
    until_true waits "$holding"
}

# stopped STATUS TEXT: the run ends so, in time; ended: the same, and nothing is left.
stopped() {
    status=0
    (sleep 300 && kill -s KILL "$run") 2>/dev/null &
    watchdog=$!
    wait "$run" || status=$?
    kill "$watchdog" 2>/dev/null
    if [ "$status" != "$1" ] || ! cat out err | grep -qF "$2"; then
        complain "$place: exit status $status, not $1, or it does not say: $2"
        show
    fi
    go_on
}
ended() {
    stopped "$@"
    until_true as_before
    left_nothing
}
# The next run drops the databases that this one left.
dropped() {
    until_true no_sessions
    runs 0 run machine.yaml --no-save --examples 1
    as_before || complain "$place: left: $(databases)"
}

lost='the connection to the database was lost'
for where in gate lock; do
    place="the session that waits ends, $where"
    at $where
    terminate "$stands"
    go_on
    ended 3 "$lost"

    place="the session that the other one waits for ends, $where"
    at $where
    terminate "$holding"
    go_on
    ended 3 "$lost"

    place="the controller ends, $where"
    at $where
    terminate "$controls"
    go_on
    ended 3 'terminating connection due to administrator command'

    place="all end, $where"
    at $where
    terminate "datname ~ '^pgfsm_scratch'"
    ended 3 "$lost"

    for signal in INT TERM; do
        place="$signal, $where"
        at $where
        kill -s $signal "$run"
        ended 130 interrupted
    done

    place="the server stops, $where"
    at $where
    server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$SERVER_DIR/data"
    wait "$run"
    status=$?
    if [ "$status" != 3 ] || ! cat out err | grep -qF "$lost"; then
        complain "$place: exit status $status: $(cat out err)"
    fi
    left_nothing
    server_try_port "$SERVER_PORT" '' || complain "$place: it does not start again"
    go_on
    dropped
done

# Failures are kept: there is a trace, and the report shows the failure. If a session hangs at that time, a second
# signal ends the run.
found() { ls .pgfsm/wrong/*.trace >/dev/null 2>&1; }
told() { grep -q 'writing what was found' err; }
for signal in INT TERM; do
    for times in once twice; do
        place="$signal while it is shrunk, $times"
        rm -rf .pgfsm counterexamples
        begin run wrong.yaml
        run=$!
        until_true found
        ask 'CREATE ROLE wait_gate'
        until_true waits "$holding"
        kill -s $signal "$run"
        if [ $times = twice ]; then
            until_true told
            kill -s $signal "$run"
            stopped 130 ''
            dropped
        else
            go_on
            ended 130 'FAIL  wrong  2 sessions: '
        fi
        found || complain "$place: no trace"
    done
done

# A session that never ends is cancelled while the others continue. One that waits for longer than the statement timeout
# is not.
cat >endless.sql <<'SQL'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO t VALUES (1, 0);
CREATE FUNCTION work() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    seen int := (SELECT n FROM t WHERE id = 1);
BEGIN
    UPDATE t SET n = n + 1 WHERE id = 1;
    WHILE (SELECT n FROM t WHERE id = 1) <> seen + 1 LOOP
        PERFORM pg_sleep(0.01);
    END LOOP;
    RETURN seen;
END $$;
SQL
sed 's/schema.sql/endless.sql/; s/machine: faults/machine: endless/; s/100s/1s/; s/seed: 1}/seed: 1, shrink: {time: 2s}}/' machine.yaml >endless.yaml
place='a session without an end'
begin run endless.yaml --no-save
run=$!
ended 1 'query_canceled (57014)'
grep -q '^FAIL  endless  2 sessions: ' out || complain "$place: $(cat out err)"

cat >slow.sql <<'SQL'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO t VALUES (1, 0);
CREATE FUNCTION work() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    seen int := (SELECT n FROM t WHERE id = 1 FOR UPDATE);
BEGIN
    UPDATE t SET n = seen + 1 WHERE id = 1;
    PERFORM pg_sleep(1);
    RETURN seen;
END $$;
SQL
sed 's/schema.sql/slow.sql/; s/machine: faults/machine: slow/; s/100s/3s/; s/examples: 20/examples: 1/; s/sessions: 2/sessions: 4/' machine.yaml >slow.yaml
runs 0 run slow.yaml --no-save
finish
