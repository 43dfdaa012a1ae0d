#!/bin/sh
# Rules with `transaction: none`, and isolation levels: the statements that run, their context, the state after an
# error, the replay scripts, and refused machines.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"

fail() {
    echo "$1"
    cat report
    exit 1
}

# run STATUS OPTION...
run() {
    wanted=$1
    shift
    status=0
    "$PROGRAM" run "$@" -d postgres --color never >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "run $*: exit status $status, not $wanted"
}

# replay STATUS: the only script.
replay() {
    status=0
    "$PROGRAM" replay counterexamples/*.sql -d postgres >report 2>&1 || status=$?
    [ "$status" = "$1" ] || fail "replay: exit status $status, not $1"
    ! grep -q 'ERROR:' report || fail 'an error that the script allows for is printed'
}

psql -qX --command 'CREATE ROLE outside_worker'
cat >schema.sql <<'SQL'
CREATE TABLE jobs (id int PRIMARY KEY, done bool NOT NULL DEFAULT false);
CREATE TABLE seen (who text, level text);
GRANT ALL ON ALL TABLES IN SCHEMA public TO outside_worker;
-- Commits after each job.
CREATE PROCEDURE work(bad int) LANGUAGE plpgsql AS $$
DECLARE
    job int;
BEGIN
    FOR job IN SELECT id FROM jobs WHERE NOT done ORDER BY id LOOP
        IF job = bad THEN RAISE 'stuck at job %', job USING ERRCODE = 'P0BAD'; END IF;
        UPDATE jobs SET done = true WHERE id = job;
        INSERT INTO seen VALUES (current_user || current_setting('app.user'), current_setting('transaction_isolation'));
        COMMIT;
    END LOOP;
END $$;
SQL
cat >machine.yaml <<'END'
machine: outside
schema: schema.sql
settings: {transactions: commit, isolation: repeatable read, examples: 6, steps: 15, seed: 5}
model: |
  jobs = {}
contexts:
  worker: {role: outside_worker, settings: {app.user: '"joe"'}}
rules:
  add:
    let: {id: len(jobs)}
    sql: INSERT INTO jobs VALUES (:id)
    model: jobs[len(jobs)] = False
  work:
    args: {bad: "integers(0, 3)"}
    transaction: none
    as: worker
    sql: CALL work(:bad)
    raises: '"P0BAD" if jobs.get(bad) == False else None'
    model: |
      for id in sorted(jobs):
          if id == bad and not jobs[id]:
              break
          jobs[id] = True
  index:
    transaction: none
    limit: 1
    sql:
      - CREATE INDEX CONCURRENTLY ON jobs (done)
      - VACUUM (ANALYZE) jobs
  twice:
    transaction: none
    sql:
      - as: worker
        sql: INSERT INTO seen VALUES (current_user || current_setting('app.user'), current_setting('transaction_isolation'))
      - INSERT INTO jobs VALUES (-1 - :n, true)
      - INSERT INTO jobs VALUES (-1 - :n, true)
      - as: worker
        sql: INSERT INTO seen VALUES ('it went on', '')
    let: {n: len(jobs)}
    raises: unique_violation
    model: jobs[-1 - n] = True
  strict:
    isolation: serializable
    sql: SELECT current_setting('transaction_isolation')
    expect: '"serializable"'
invariants:
  jobs: {sql: 'SELECT id, done FROM jobs', expect: jobs}
  seen: {sql: "SELECT who, level FROM seen WHERE (who, level) <> ('outside_workerjoe', 'repeatable read')", expect: '[]'}
  unset: {sql: "SELECT current_user, coalesce(current_setting('app.user', true), '')", expect: '("postgres", "")'}
  level: {sql: SHOW transaction_isolation, expect: '"repeatable read"'}
END
run 0 machine.yaml --examples 2

# Each index makes a new copy of the database, which takes its time.
sed -i '/^  index/,/^  twice/{/^  twice/!d}' machine.yaml
run 0 machine.yaml
run 0 machine.yaml --no-pipeline --examples 2

# The model continues after the job that raised the error, at which the database stopped. Also tests a wrong error.
sed 's/ break$/ continue/' machine.yaml >wrong.yaml
run 1 wrong.yaml
grep -q 'shrunk to 3 steps' report || fail 'it is not at its shortest'
replay 1
grep -q '"id":1,"done":false' report || fail 'the script does not say what is there'
rm -r counterexamples
sed 's/"P0BAD"/"P0BED"/' machine.yaml >wrong.yaml
run 1 wrong.yaml
replay 1
grep -q 'expected P0BED, got SQLSTATE P0BAD' report || fail 'the script does not say which error came'
sed -i 's/P0BAD/P0BED/' schema.sql
replay 0
sed -i 's/P0BED/P0BAD/' schema.sql
rm -r counterexamples

# In the script, too, the statements after an error don't run. Otherwise the last rule would show
# it.
sed 's/raises: unique_violation/raises: check_violation/' machine.yaml >wrong.yaml
run 1 wrong.yaml
replay 1
psql -qX --command 'CREATE DATABASE played'
psql -qX --dbname played --file "$(echo counterexamples/*.sql)" >report 2>&1 && fail 'psql does not fail'
psql -qXAt --dbname played --command "SELECT count(*) FROM seen WHERE who = 'it went on'" >report
[ "$(cat report)" = 0 ] || fail 'the script went on behind the error'
rm -r counterexamples

# Without it, and without commits: the message says what to do.
sed '/transaction: none/d' machine.yaml >inside.yaml
run 1 inside.yaml
grep -q 'hint.*transaction: none' report || fail 'no hint at transaction: none'
sed 's/transactions: commit, //' machine.yaml >rolled_back.yaml
run 2 rolled_back.yaml
grep -q 'rolled_back.yaml:15:18: error: .transaction: none' report || fail 'the rule is not named'
grep -q 'rolled_back.yaml:3:23: error: an isolation level' report || fail 'the setting is not named'
grep -q 'hint: write .transactions: commit' report || fail 'no way out'
run 0 rolled_back.yaml --commit --examples 1

# A statement that loses the connection is in the script, and no statement behind it counts.
cat >lost.yaml <<'END'
machine: lost
schema: schema.sql
settings: {transactions: commit, examples: 5, seed: 1}
rules:
  lose: {transaction: none, sql: SELECT 1; SELECT pg_terminate_backend(pg_backend_pid()); SELECT 2}
END
run 3 lost.yaml
grep -q 'rule lose (step 1): the server closed the connection' report || fail 'the loss is not the failure of the rule'
replay 1
rm -r counterexamples

# One mistake is one error, however often the server was asked before it answered.
sed 's/role: outside_worker/role: nobody_here/' machine.yaml >nobody.yaml
status=0
"$PROGRAM" run nobody.yaml --embedded >report 2>&1 || status=$?
[ "$status" = 2 ] || fail "a role that is not there: exit status $status, not 2"
[ "$(grep -c 'error:' report)" = 1 ] || fail 'there is more than the one error'
