#!/bin/sh
# A database in which several processes share failures and the examples of a run.
#
#   PROGRAM=… sh tests/cli/store.sh [all|kills [N [SEED]]]
#
# all: also rights, hostile tables, the database under test, and a server that goes away for good.
# kills: sixteen processes, which run or mutate, and N times one of them is killed or stopped for longer than its lease, or the store's server
# restarts.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT
mkdir machines
cp "$top/machines/membership.yaml" machines/
ln -s "$top/sql" sql
bug=sql/bugs/membership-count-cache.sql
machine=machines/membership.yaml

ask() { psql -XAtq -d store -c "$1"; }
new_store() {
    psql -Xq -c 'DROP DATABASE IF EXISTS store WITH (FORCE)' -c 'CREATE DATABASE store' 2>/dev/null
    PGFSM_STORE="postgresql://postgres:$SERVER_PASSWORD@127.0.0.1:$SERVER_PORT/store"
    export PGFSM_STORE
}
same() { # WHAT WANTED GOT
    [ "$2" = "$3" ] || complain "$1: $3, not $2"
}
# What a report says without times, and who shrank what.
plain() { sed -E 's/[0-9.]+ s, seed/T, seed/; s/; (shrunk|[^;]* shrank it) to .*//' "$1"; }

# Starts a process of the run $PGFSM_RUN_ID in a folder of its own.
start() { # FOLDER OPTION...
    mkdir -p "$1"
    ln -sfn ../machines ../sql "$1"
    folder=$1
    shift
    (
        cd "$folder" || exit 1
        exec "$PROGRAM" "${command:-run}" $machine --report text --report json=report.json "$@" >out 2>err </dev/null
    ) &
}

# --- by night ---

count=0
number() { # MOST: a number from 1 to MOST
    count=$((count + 1))
    awk -v seed="$seed" -v count="$count" -v most="$1" 'BEGIN { srand(seed * 1000 + count); print int(rand() * most) + 1 }'
}
kills=0
rounds=0
begun=0
process() {
    begun=$((begun + 1))
    start "run$PGFSM_RUN_ID-$begun" --embedded --jobs $((begun % 2 + 1)) "$@"
    processes="$processes $!"
}
nth() { shift "$1" && echo "$1"; }
# Kills, stops or lets go on one of the processes, or restarts the store's server.
disturb() {
    # shellcheck disable=SC2086 # numbers
    chosen=$(nth "$(number $(($(echo $processes | wc -w))))" $processes)
    kill -0 "$chosen" 2>/dev/null || return 0
    kills=$((kills + 1))
    case $(number 6) in
    1)
        kill -STOP "$chosen"
        (sleep 12 && kill -CONT "$chosen" 2>/dev/null) &
        ;;
    2)
        [ $((kills % 5)) != 0 ] || server_as_user "$SERVER_BIN/pg_ctl" restart --silent --wait --mode=immediate \
            --pgdata="$SERVER_DIR/data" >/dev/null
        ;;
    *)
        kill -KILL "$chosen"
        processes=$(echo "$processes " | sed "s/ $chosen / /")
        process "$@"
        ;;
    esac
}
said_by() { plain "$1" | grep -E '^ok|found in|failure in|^mutants|^survived' | sed 's/, [0-9.]* m\{0,1\}s$//'; }
# Sixteen processes share a run with these options. Whoever is left says what a process alone would say.
round() { # STATUS COMMAND OPTION...
    wanted=$1
    command=$2
    shift 2
    rounds=$((rounds + 1))
    PGFSM_RUN_ID=$rounds
    export PGFSM_RUN_ID
    ask "DELETE FROM pgfsm.failure" 2>/dev/null
    with=PGFSM_STORE= runs "$wanted" "$command" $machine --embedded --seed "$seed" --report text "$@"
    rm -rf .pgfsm
    said_by out >whole
    processes=
    begun=0
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
        process --seed "$seed" "$@"
    done
    until [ -n "$(ask "SELECT 1 FROM pgfsm.run WHERE name = '$PGFSM_RUN_ID'" 2>/dev/null)" ]; do sleep 0.1; done
    while [ "$kills" -lt "$most" ] && [ -n "$(ask "SELECT 1 FROM pgfsm.run AS r WHERE name = '$PGFSM_RUN_ID'
        HAVING count(*) < $([ "$command" = run ] && echo 1 || echo 2) OR bool_or(EXISTS (SELECT FROM pgfsm.chunk AS c
        WHERE c.run = r.id AND done IS NULL AND first <= stop))")" ]; do
        disturb --seed "$seed" "$@"
        sleep "0.$(number 4)"
    done
    for process in $processes; do
        status=0
        wait "$process" || status=$?
        [ "$status" = "$wanted" ] || complain "process $process ended with $status"
    done
    for folder in "run$PGFSM_RUN_ID"-*; do
        [ -s "$folder/out" ] || continue # killed
        said_by "$folder/out" | diff whole - >difference ||
            complain "seed $seed, $folder: $(cat difference "$folder/err")"
    done
    rm -rf "run$PGFSM_RUN_ID"-*
    same "runs whose chunks overlap or lack a number" 0 "$(ask "SELECT count(*) FROM pgfsm.run AS r WHERE r.examples <>
        (SELECT sum(c.last - c.first + 1) FROM pgfsm.chunk AS c WHERE c.run = r.id) AND r.name = '$PGFSM_RUN_ID'")"
}
if [ "${1:-}" = kills ]; then
    most=${2:-50}
    seed=${3:-$(date +%j)}
    new_store
    while [ "$kills" -lt "$most" ] && [ $checks_failed = 0 ]; do
        seed=$((seed + 1))
        round 0 run --examples 600
        round 1 run --examples 600 --apply $bug
        same "failures" "1|t" "$(ask 'SELECT count(*), bool_and(shrunk) FROM pgfsm.failure')"
        round 0 mutate --examples 20
        echo "seed $seed, disturbed $kills times"
    done
    finish
fi

# No password is in anything that was printed or written.
no_password() {
    if grep -rlF -e "$SERVER_PASSWORD" -e worker-secret . >leaks; then
        complain "the password is in $(cat leaks)"
    fi
    left_nothing
    finish
}

# --- three shards ---

# Shards that know nothing of each other: one bug is one failure, and shrunk once.
new_store
for i in 1 2 3; do
    start "shard$i" --apply $bug --shard $i/3 --seed 7
done
wait
same "a failure of three shards" "invariant members|t|3|1|" \
    "$(ask 'SELECT identity, shrunk, times, shrinks, lease FROM pgfsm.failure')"
runs 1 merge shard*/report.json --apply $bug --no-save --max-time 1ms # which limited the shards
out "1 failure in 26 of 101 examples" # one is the stored trace
out "shrank it to 3 steps"
same "the same merged" 1 "$(ask 'SELECT shrinks FROM pgfsm.failure')"

# What passes is forgotten; what another process has found meanwhile is not.
runs 0 run $machine --seed 7 --examples 1
same "a mended failure" 0 "$(ask 'SELECT count(*) FROM pgfsm.failure')"

# A run that is split gives each process the report of the whole run. One is stopped for longer than its lease.
runs 0 run $machine --seed 7 --examples 60 --no-save --report text
plain out >whole
PGFSM_RUN_ID=one
export PGFSM_RUN_ID
start slow --seed 7 --examples 60
slow=$!
# shellcheck disable=SC2317 # called by until_true
leased() { # RUN, or nothing for a failure
    [ -n "$(ask "SELECT 1 FROM pgfsm.run AS r JOIN pgfsm.chunk AS c ON c.run = r.id WHERE lease IS NOT NULL AND name = '$1'
        UNION SELECT 1 FROM pgfsm.failure WHERE shrinks > 0 AND '$1' = ''" 2>/dev/null | head -c 1)" ]
}
until_true leased one
kill -STOP $slow
ask "UPDATE pgfsm.chunk SET lease = now() - interval '1 s' WHERE lease IS NOT NULL"
start part1 --seed 7 --examples 60
part1=$!
start part2 --seed 7 --examples 60
wait $part1 $!
kill -CONT $slow
wait $slow || complain "the slow process: $(cat slow/err)"
for folder in part1 part2 slow; do
    plain $folder/out | diff whole - >difference || complain "$folder: $(cat difference $folder/err)"
done
same "chunks that are done" "15|60" \
    "$(ask 'SELECT count(done), sum(last - first + 1) FROM pgfsm.chunk')"
runs 0 merge part1/report.json slow/report.json part2/report.json --no-save --examples 60
plain out | diff whole - >difference || complain "merged: $(cat difference)"

# Whatever decides what its examples do, or what their records hold, makes it another run.
echo 'CREATE TABLE t (n integer);' >table.sql
echo '\ir table.sql' >schema.sql
echo 'ALTER TABLE t ADD a integer;' >up.sql
cat >key.yaml <<'END'
machine: key
schema: schema.sql
migration: {files: up.sql, down: down.sql}
rules:
  add: {sql: INSERT INTO t (n) VALUES (1)}
END
echo 'ALTER TABLE t DROP a;' >down.sql
PGFSM_RUN_ID=key
runs 0 run key.yaml --seed 7 --examples 1
runs 0 run key.yaml --seed 7 --examples 1
echo '--' >>up.sql
runs 0 run key.yaml --seed 7 --examples 1
echo '--' >>down.sql
runs 0 run key.yaml --seed 7 --examples 1
echo '--' >>table.sql
runs 0 run key.yaml --seed 7 --examples 1
runs 0 run key.yaml --seed 7 --examples 1 --stats
psql -Xq -c 'CREATE DATABASE one' -c 'CREATE DATABASE two'
printf 'machine: key\nrules: {ask: {sql: SELECT 1}}\n' >ask.yaml
for database in one two one; do runs 0 run ask.yaml --no-schema -d $database --seed 7 --examples 1; done
sed '/^migration/d; s/schema.sql/table.sql/' key.yaml >here.yaml
for database in one two one; do runs 0 run here.yaml --in-place -d $database --seed 7 --examples 1; done
same "runs with different keys" 9 "$(ask "SELECT count(*) FROM pgfsm.run WHERE name = 'key'")"

[ "${1:-}" = all ] || no_password

# The same with a bug: each ends with the same failure, which one of them has shrunk.
PGFSM_RUN_ID=two
for i in 1 2; do
    start "bug$i" --apply $bug --seed 7
done
wait
with=PGFSM_STORE= runs 1 run $machine --apply $bug --seed 7 --no-save
plain out | grep -E 'found in|failure in' >whole
for folder in bug1 bug2; do
    plain $folder/out | grep -E 'found in|failure in' | diff whole - >difference ||
        complain "$folder: $(cat difference $folder/err)"
    ls $folder/counterexamples/*.sql >/dev/null || complain "$folder has no script"
done
same "a failure of a split run" "1|t" "$(ask 'SELECT shrinks, shrunk FROM pgfsm.failure')"

# What one process has shrunk, another one can pin, too.
cat >fourth.yaml <<'END'
machine: fourth
model: n = 0
settings: {steps: 12}
rules:
  inc: {sql: SELECT 1, model: n += 1}
  other: {sql: SELECT 2}
  bad: {precondition: n == 4, sql: SELECT 1/0}
END
for by in shrunk 'shrank it'; do
    rm -rf .pgfsm
    runs 1 run fourth.yaml --no-schema --seed 3 --examples 40
    out "$by to 5 steps"
    out "pin fourth-bad"
done
ask "DELETE FROM pgfsm.failure WHERE machine = 'fourth'"

# A step that ends its connection is a failure like any other.
cat >dies.yaml <<'END'
machine: dies
rules:
  dies: {sql: SELECT pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid())}
END
with=PGFSM_RUN_ID=dies runs 3 run dies.yaml --no-schema --seed 7 --examples 100
out "the server closed the connection"
ask "DELETE FROM pgfsm.failure WHERE machine = 'dies'"

# When its time is up, a process reports what it has found by then, also in the chunk that it has not finished and
# although a statement still ran. Others may have that chunk at once.
PGFSM_RUN_ID='time'
runs 1 run $machine --apply $bug --seed 7 --examples 100000 --max-time 500ms
out "invariant members"
cat >slow.yaml <<'END'
machine: slow
rules:
  wrong: {args: {x: "integers(0, 9)"}, sql: SELECT 1, check: x != 5}
  slow: {args: {x: "integers(0, 9)"}, sql: "SELECT CASE WHEN :x::integer = 7 THEN pg_catalog.pg_sleep(60) END"}
END
runs 1 run slow.yaml --no-schema --seed 1 --examples 100000 --max-time 1s
out "rule wrong"
ask "DELETE FROM pgfsm.failure WHERE machine = 'slow'"
unset PGFSM_RUN_ID

# Once it is known that a failure does not show again, others that meet it need not wait for the process that found it.
cat >once.yaml <<'END'
machine: once
rules:
  look: {sql: SELECT count(*) FROM pgfsm.failure WHERE machine = 'once', check: result.value > 0}
END
begin run once.yaml -d "$PGFSM_STORE" --no-schema --seed 7 --examples 1000000 --max-failures 2
process=$!
# shellcheck disable=SC2317 # called by until_true
given_back() { [ "$(ask "SELECT shrinks, shrunk, lease FROM pgfsm.failure WHERE machine = 'once'")" = '1|f|' ]; }
until_true given_back
kill -0 $process || complain "it was to run on: $(cat out err)"
kill -INT $process
wait $process

# Who asks twice, as the first answer was lost, need not wait for itself.
same "a lease that was asked for twice, and by another" "1 2" "$({
    echo 'PREPARE claim AS' && cat "$top/src/pg/sql/store/claim.sql"
    for holder in me me other; do echo "; EXECUTE claim('machine', 'failure', 'name', 'trace', '$holder', 10, 0)"; done
} | psql -XAtq -d store | xargs)"
ask "DELETE FROM pgfsm.failure WHERE machine IN ('once', 'machine')"

# Rows are not trusted.
ask "UPDATE pgfsm.failure SET trace = E'pgfsm trace 1\nmachine =membership\nfailure =\x01'"
runs 1 run $machine --apply $bug --seed 7 --examples 3
out "is damaged"
same "a damaged row" "t|2" "$(ask 'SELECT shrunk, shrinks FROM pgfsm.failure')"

ask "UPDATE pgfsm.failure SET holder = E'\\x1b[31m\\n::error::evil'"
runs 1 run $machine --apply $bug --seed 7 --examples 3
out "another process shrank it"
out_lacks "::error"

# Waiting for a failure that another process shrinks writes nothing.
ask "UPDATE pgfsm.failure SET shrunk = false, lease = 'infinity', holder = 'other, process 1'"
updates() { ask "SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'failure'"; }
before=$(updates)
runs 1 run $machine --apply $bug --seed 7 --examples 3 --max-time 2s
err "waiting for other, process 1, which shrinks a failure"
[ $(($(updates) - before)) -lt 5 ] || complain "a process that waits updated a failure $(($(updates) - before)) times"
ask "UPDATE pgfsm.failure SET lease = NULL"

# Chunks of other examples than the run has; a record of another example.
export PGFSM_RUN_ID=rows
runs 0 run $machine --seed 7 --examples 4
while read -r change; do
    ask "BEGIN; $change; COMMIT"
    runs 2 run $machine --seed 7 --examples 4
    err "the store: "
    ask "UPDATE pgfsm.chunk SET first = 1, last = 4, done = now(), lease = NULL
        WHERE run = (SELECT id FROM pgfsm.run WHERE name = 'rows')"
done <<'END'
UPDATE pgfsm.chunk SET done = NULL, last = 99 WHERE run = (SELECT id FROM pgfsm.run WHERE name = 'rows')
UPDATE pgfsm.chunk SET done = NULL, first = 0 WHERE run = (SELECT id FROM pgfsm.run WHERE name = 'rows')
UPDATE pgfsm.chunk SET done = NULL, first = 0, lease = 'infinity' WHERE run = (SELECT id FROM pgfsm.run WHERE name = 'rows')
UPDATE pgfsm.chunk SET records = replace(records, '"number":1,', '"number":3,') WHERE run = (SELECT id FROM pgfsm.run WHERE name = 'rows')
END

# A run that is cut asks once for all the examples that are missing.
PGFSM_RUN_ID=missing
runs 0 run key.yaml --seed 7 --examples 1000 --steps 1 --max-time 1s
ask "UPDATE pgfsm.chunk SET done = NULL, records = NULL, lease = 'infinity'"
before=$(ask "SELECT xact_commit FROM pg_stat_database WHERE datname = 'store'")
runs 5 run key.yaml --seed 7 --examples 1000 --steps 1 --max-time 1s
out "the time was up"
[ $(($(ask "SELECT xact_commit FROM pg_stat_database WHERE datname = 'store'") - before)) -lt 200 ] ||
    complain "a run that was cut asked the store again and again"
unset PGFSM_RUN_ID

# A store that does not answer holds up nobody before the chunk is done.
ask 'CREATE SEQUENCE public.steps'
cat >slow.yaml <<'END'
machine: slow
rules:
  step: {sql: "SELECT nextval('public.steps'), pg_sleep(0.2)"}
END
PGFSM_RUN_ID=slow begin run slow.yaml -d "$PGFSM_STORE" --no-pipeline --examples 1 --steps 30 --seed 7
process=$!
# shellcheck disable=SC2317 # called by until_true
ran() { [ "$(ask 'SELECT last_value FROM public.steps')" -gt "$1" ]; }
until_true ran 2
stopped=$(ask "SELECT pid FROM pg_stat_activity WHERE application_name = 'pgfsm store'")
kill -STOP "$stopped"
tries=0
until ran 24 || [ $((tries += 1)) = 250 ]; do sleep 0.05; done
ran 24 || complain "a store that does not answer holds the run up"
kill -CONT "$stopped"
wait $process || complain "a store that did not answer: $(cat out err)"

# Nor does it hold up an interrupt.
PGFSM_RUN_ID=slower begin run slow.yaml -d "$PGFSM_STORE" --no-pipeline --examples 1 --steps 30 --seed 7
process=$!
until_true leased slower
stopped=$(ask "SELECT pid FROM pg_stat_activity WHERE application_name = 'pgfsm store'")
kill -STOP "$stopped"
kill -INT $process
tries=0
while kill -0 $process 2>/dev/null && [ $((tries += 1)) != 200 ]; do sleep 0.05; done
! kill -0 $process 2>/dev/null || complain "a store that does not answer holds an interrupt up"
kill -CONT "$stopped"
wait $process
ask 'DROP SEQUENCE public.steps'

# A role with few rights; tables that would run code; tables of a newer pgfsm.
psql -Xq -d store -c "CREATE ROLE worker LOGIN PASSWORD 'worker-secret'"
owner=$PGFSM_STORE
PGFSM_STORE="postgresql://worker:worker-secret@127.0.0.1:$SERVER_PORT/store"
runs 2 run $machine --examples 1
err "the role lacks rights: USAGE on the schema pgfsm; SELECT on chunk, failure, run, version; INSERT on chunk, "
ask "GRANT USAGE ON SCHEMA pgfsm TO worker; GRANT SELECT ON ALL TABLES IN SCHEMA pgfsm TO worker"
runs 2 run $machine --examples 1
err "the role lacks rights: INSERT on chunk, failure, run; UPDATE on chunk, "
sed -n 's/.*as the owner of the tables: \(.*\)/\1/p' err >grants.sql
sed -n '/^GRANT/,/;$/p' "$top/docs/STORE.md" | sed 's/fleet_worker/worker/' | tr '\n' ' ' | sed 's/; *$//' |
    diff -w - grants.sql || complain "the hint's grants are not those of docs/STORE.md"
psql -Xq -d store -f grants.sql -c 'REVOKE INSERT, UPDATE, DELETE ON pgfsm.version FROM worker'
runs 0 run $machine --examples 1
# Nobody has made the tables.
psql -Xq -c 'CREATE DATABASE bare'
PGFSM_STORE="postgresql://worker:worker-secret@127.0.0.1:$SERVER_PORT/bare"
runs 2 run $machine --examples 1
err "the role lacks rights: CREATE on the database bare"
# A schema of that name that is somebody else's, also with a table of a name of ours.
while read -r make; do
    psql -Xq -d bare -c 'DROP SCHEMA IF EXISTS pgfsm CASCADE' -c 'CREATE SCHEMA pgfsm' -c "$make" 2>/dev/null
    PGFSM_STORE=${owner%/*}/bare
    runs 2 run $machine --examples 1
    err "the schema pgfsm of its database is somebody else's: it has "
    err "name another database"
done <<'END'
CREATE TABLE pgfsm.version (version text)
CREATE VIEW pgfsm.a AS SELECT 1 AS one
CREATE FUNCTION pgfsm.f() RETURNS int LANGUAGE sql RETURN 1
END
PGFSM_STORE=$owner
ask "CREATE FUNCTION pgfsm.evil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''evil''; END';
    CREATE TRIGGER evil BEFORE INSERT ON pgfsm.failure FOR EACH ROW EXECUTE FUNCTION pgfsm.evil()"
runs 2 run $machine --examples 1
err "may run code of others: trigger evil"
ask "DROP TRIGGER evil ON pgfsm.failure; CREATE FUNCTION public.evil(text) RETURNS boolean IMMUTABLE LANGUAGE sql RETURN true"
while IFS='|' read -r make undo what; do
    ask "$make"
    runs 2 run $machine --examples 1
    err "may run code of others: $what"
    ask "$undo"
done <<'END'
CREATE INDEX odd ON pgfsm.failure (name) WHERE public.evil(name)|DROP INDEX pgfsm.odd|index odd
CREATE TABLE public.child () INHERITS (pgfsm.failure)|DROP TABLE public.child|inheritance of failure
CREATE TABLE public.other (id bytea REFERENCES pgfsm.run ON DELETE CASCADE)|DROP TABLE public.other|foreign key other_id_fkey
ALTER TABLE pgfsm.failure ALTER trace DROP NOT NULL|ALTER TABLE pgfsm.failure ALTER trace SET NOT NULL|nullable column trace
END
ask "INSERT INTO pgfsm.version VALUES (1000)"
runs 2 run $machine --examples 1
err "of version 1000"

# The database may be under test, too.
ask "DELETE FROM pgfsm.version WHERE version = 1000; CREATE TABLE public.cities (id integer PRIMARY KEY)"
runs 0 init -d "$PGFSM_STORE" -o cities.yaml
grep -q cities cities.yaml || complain "init: $(cat cities.yaml)"
! grep -q 'pgfsm\.' cities.yaml || complain "init: $(cat cities.yaml)"
with=PGFSM_RUN_ID=cities runs 0 run cities.yaml -d "$PGFSM_STORE" --no-schema --examples 5

# A failure that ends the run early, and that passes when the examples are put together: what lies behind is not run
# by each process alone.
cat >flaky.yaml <<'END'
machine: flaky
rules:
  look:
    sql: SELECT count(*) FROM pgfsm.chunk AS c JOIN pgfsm.run AS r ON r.id = c.run WHERE r.name = 'flaky' AND done > '-infinity'
    check: result.value != 2
END
with=PGFSM_RUN_ID=flaky runs 1 run flaky.yaml -d "$PGFSM_STORE" --no-schema --seed 7 --examples 1000 --report text --report json=flaky.json
out "example 9 failed in a process that shares the run (rule look: check), and passed"
same "steps" 1800 "$(sed -n 's/.*"type":"machine".*"steps":\([0-9]*\).*/\1/p' flaky.json)" # of 36 examples

# Its server goes away for good. What was found is shrunk and written all the same; a run that is split ends with an
# error, as the examples of others are not known.
ask "DELETE FROM pgfsm.failure"
rm -rf counterexamples
# shellcheck disable=SC2317 # called by until_true
locked() { [ -n "$(ask "SELECT 1 FROM pg_locks WHERE relation = 'pgfsm.$1'::regclass AND mode = 'ExclusiveLock' AND granted")" ]; }
hold() { # TABLE: nobody else writes to it
    psql -Xqd store -c BEGIN -c "LOCK TABLE pgfsm.$1 IN EXCLUSIVE MODE" -c 'SELECT pg_sleep(600)' >/dev/null 2>&1 &
    until_true locked "$1"
}
# shellcheck disable=SC2317
waiting() { [ -n "$(ask "SELECT 1 FROM pg_stat_activity WHERE application_name = 'pgfsm store' AND wait_event_type = 'Lock'")" ]; }
for split in '' lost; do
    [ -n "$split" ] || hold failure
    PGFSM_RUN_ID=$split begin run $machine --embedded --wait 1s --apply $bug --seed 7 --max-failures 2 --examples 400
    process=$!
    if [ -n "$split" ]; then
        until_true leased "$split"
        hold chunk
    fi
    until_true waiting
    server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate --pgdata="$SERVER_DIR/data" >/dev/null
    status=0
    wait $process || status=$?
    same "the status without a store" "${split:+3}" "$([ $status = 1 ] || echo $status)"
    out "the run goes on without the store${split:+, and ends with an error}"
    out "invariant members"
    ls counterexamples/membership-members.sql >/dev/null || complain "no script: $(cat out err)"
    server_try_port "$SERVER_PORT" 127.0.0.1
done

# No store.
PGFSM_STORE="postgresql://postgres:$SERVER_PASSWORD@127.0.0.1:1/store"
runs 3 run $machine --examples 1
err "the store: could not reach the database"
PGFSM_STORE=folder runs 2 run $machine --examples 1
err "postgresql://"
PGFSM_STORE="postgresql://postgres:wrong@127.0.0.1:$SERVER_PORT/store" runs 3 run $machine --examples 1
err "it came from PGPASSWORD, ~/.pgpass, or the URI"

no_password
