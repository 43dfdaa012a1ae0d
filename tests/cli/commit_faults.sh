#!/bin/sh
# commit_faults.sh
#
# Faults on a named server while steps are committed: lost connections, Ctrl-C, SIGTERM, kill -9, a server that stops, a
# full disk. A fault happens in a step, while the database is restored, or while it is copied. Each time the run reports
# the fault, leaves no database behind, and changes nothing else on the server.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; umount -l "$SERVER_DIR/small" 2>/dev/null; server_stop' EXIT

ask() { psql -qXAt --command "$1"; }
databases() { ask "SELECT datname FROM pg_database ORDER BY 1"; }

# The initial content of the server: a table, and databases whose names are almost those of scratch
# databases.
ask "CREATE TABLE mine AS SELECT 1 AS n" && createdb pgfsm_scratch_mine && createdb pgfsm_kept_0123456789abcdef
mine() { pg_dumpall --no-sync | grep -v 'restrict '; }
mine >mine.sql
unchanged() { mine | cmp - mine.sql || complain "$place: the server is not as it was"; }
before=$(databases)
as_before() { [ "$before" = "$(databases)" ]; }

# A step, and loading the schema, wait while there is a role of that name.
cat >schema.sql <<'SQL'
CREATE TABLE t (n int);
CREATE FUNCTION wait(reason name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WHILE EXISTS (SELECT FROM pg_roles WHERE rolname = reason) LOOP
        PERFORM pg_sleep(0.01);
    END LOOP;
END $$;
SELECT wait('wait_load');
SQL
cat >machine.yaml <<'END'
machine: faults
schema: schema.sql
settings: {transactions: commit, examples: 5, steps: 1, statement_timeout: 100s}
rules:
  add:
    sql:
      - INSERT INTO t VALUES (1)
      - SELECT wait('wait_step')
invariants:
  one: {sql: SELECT count(*) <= 1 FROM t, expect: True}
END

waits_for() { ask "SELECT 'yes' FROM pg_stat_activity WHERE $1 AND pid <> pg_backend_pid()" | grep -q yes; }
in_step="query LIKE '%wait(''wait_step'')%' AND state = 'active'"
in_load="query LIKE '%wait(''wait_load'')%' AND state = 'active'"
put_back="query LIKE 'DELETE FROM ONLY public.t %' AND wait_event_type = 'Lock'"
copied="query LIKE 'CREATE DATABASE%' AND wait_event_type = 'Lock'"
terminate() { ask "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE $1 AND pid <> pg_backend_pid()" >/dev/null; }
go_on() { psql -qX --command 'DROP ROLE IF EXISTS wait_step, wait_load' 2>/dev/null; }
# The first database is the one with the schema, of which all others are copies.
scratch() { ask "SELECT datname FROM pg_database WHERE datname ~ '^pgfsm_scratch_[0-9a-f]+$' LIMIT 1"; }

# Holds a lock in a transaction that stays open, until the session is ended.
hold() { # DATABASE SQL
    psql -qXAt -d "$1" --set ON_ERROR_STOP=1 >held 2>&1 --command "SET application_name = 'holder'" --command BEGIN --command "$2" \
        --command "SELECT pg_sleep(600)" &
}
release() { terminate "application_name = 'holder'"; }

# Each of these runs pgfsm until it is in the middle of something.
at_step() {
    ask 'CREATE ROLE wait_step'
    begin run machine.yaml --no-save
    run=$!
    until_true waits_for "$in_step"
}
# The lock is asked for while the step still writes, so pgfsm comes after it.
at_put_back() {
    at_step
    hold "$(ask "SELECT datname FROM pg_stat_activity WHERE $in_step AND pid <> pg_backend_pid()")" \
        'LOCK TABLE t IN SHARE ROW EXCLUSIVE MODE'
    until_true waits_for "query LIKE 'LOCK TABLE t%' AND wait_event_type = 'Lock'"
    go_on
    until_true waits_for "$put_back"
}
at_copy() {
    ask 'CREATE ROLE wait_load'
    begin run machine.yaml --no-save
    run=$!
    until_true waits_for "$in_load"
    hold postgres "COMMENT ON DATABASE $(scratch) IS 'held'"
    until_true waits_for "application_name = 'holder' AND query LIKE '%pg_sleep(600)%'"
    go_on
    until_true waits_for "$copied"
}

# stopped STATUS TEXT: the run ends with the status and prints TEXT
stopped() {
    status=0
    wait "$run" || status=$?
    if [ "$status" != "$1" ] || { [ "$2" ] && ! cat out err | grep -qF "$2"; }; then
        complain "$place: exit status $status, not $1, or it does not say: $2"
        show
    fi
}
# ended STATUS TEXT: the same, and no database is left
ended() {
    stopped "$@"
    go_on
    release
    wait
    until_true as_before
    left_nothing
    unchanged
}

lost='the connection to the database was lost: terminating connection due to administrator command'
place='its connection ends in a step'
at_step
terminate "$in_step"
go_on
ended 3 "$lost"
grep -qF 'rule add (step 1): the server closed the connection' out || show

place='the connection that restores ends'
at_put_back
terminate "$put_back"
ended 3 "$lost"

# No example runs at that time, so the message must not blame a statement.
place='its connection ends while another one restores'
at_put_back
idle="datname ~ '^pgfsm_scratch' AND application_name <> 'holder' AND NOT ($put_back)"
terminate "$idle"
gone() { ! waits_for "$idle"; }
until_true gone
release
ended 3 "between two examples: $lost"
! grep -q 'closed the connection' out || complain "$place: it says that a step did it"

place='the connection that copies ends'
at_copy
terminate "$copied"
release
ended 3 "could not create a scratch database: $lost"

for signal in INT TERM; do
    place="$signal in a step"
    at_step
    kill -s $signal "$run"
    ended 130 interrupted
    place="$signal while it is restored"
    at_put_back
    kill -s $signal "$run"
    ended 130 interrupted
    # The copy is finished first, and then dropped.
    place="$signal while it is copied"
    at_copy
    kill -s $signal "$run"
    release
    ended 130 interrupted
done

# A run drops the databases that a killed run left, but not those of a live run, and no other
# databases.
cat >quick.sql <<'SQL'
CREATE TABLE t (n int);
SQL
cat >quick.yaml <<'END'
machine: quick
schema: quick.sql
settings: {examples: 2, steps: 2}
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END
ours() { ask "SELECT datname FROM pg_database WHERE datname ~ '^pgfsm_scratch_[0-9a-f]+$' ORDER BY 1"; }
no_sessions() { ! waits_for "(datname ~ '^pgfsm_scratch' OR application_name ~ '^pgfsm_scratch')"; }
psql -qX --command 'CREATE ROLE joe LOGIN CREATEDB' && mine >mine.sql
for where in at_step at_put_back at_copy; do
    place="another run, $where"
    $where
    ours >theirs
    runs 0 run quick.yaml --commit --no-save
    ours | cmp - theirs || complain "$place: it drops databases of a run that goes on"
    release
    go_on
    ended 0 'ok  faults'

    place="kill -9, $where"
    $where
    kill -s KILL "$run"
    ours >theirs
    stopped 137 ''
    release
    go_on
    until_true no_sessions
    [ -n "$(ours)" ] || complain "$place: nothing is left, so nothing is tested"
    ours >theirs
    runs 0 run quick.yaml --commit --no-save -U joe
    ours | cmp - theirs || complain "$place: another user drops them"
    runs 0 run quick.yaml --commit --no-save
    as_before || complain "$place: left: $(ours)"
    unchanged
done

for where in at_step at_put_back at_copy; do
    place="the server stops, $where"
    $where
    server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$SERVER_DIR/data"
    stopped 3 'the connection to the database was lost'
    wait
    left_nothing
    server_try_port "$SERVER_PORT" '' || complain "$place: it does not start again"
    go_on
    runs 0 run quick.yaml --commit --no-save
    as_before || complain "$place: left: $(ours)"
    unchanged
done

# A disk that a step fills.
cat >full.sql <<'SQL'
CREATE TABLE t (pad text) TABLESPACE small;
ALTER TABLE t ALTER COLUMN pad SET STORAGE PLAIN;
INSERT INTO t SELECT repeat('x', 4000) FROM generate_series(1, 300);
SQL
cat >full.yaml <<'END'
machine: full
schema: full.sql
settings: {examples: 3, steps: 3, seed: 1}
rules:
  fill: {sql: "INSERT INTO t SELECT repeat('x', 4000) FROM generate_series(1, 10000)"}
END
place='a full disk'
if [ "$(id -u)" = 0 ] && mkdir "$SERVER_DIR/small" && mount -t tmpfs -o size=24m none "$SERVER_DIR/small" 2>/dev/null; then
    chown "$SERVER_USER" "$SERVER_DIR/small"
    ask "CREATE TABLESPACE small LOCATION '$SERVER_DIR/small'"
    mine >mine.sql
    begin run full.yaml --commit --no-save
    run=$!
    ended 3 'rule fill: the server lacks what this needs: disk_full (53100): could not extend file'
    ! grep -q FAIL out || complain "$place: it reports a failure"
    ask 'DROP TABLESPACE small'
fi
finish
