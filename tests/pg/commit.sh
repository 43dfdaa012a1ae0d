#!/bin/sh
# Steps that are committed (`transactions: commit`, --commit): bugs that a rollback hides, the same report in each mode,
# refused statements, and that nothing is left on the server.
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
    "$PROGRAM" run "$@" --no-save --color never >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "run $*: exit status $status, not $wanted"
}

cat >schema.sql <<'SQL'
CREATE TABLE accounts (id int PRIMARY KEY, since timestamptz DEFAULT now(), xact xid8 DEFAULT pg_current_xact_id());
CREATE TABLE owners (account int REFERENCES accounts DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE sums (n int);
INSERT INTO sums VALUES (0);
CREATE TYPE mood AS ENUM ('sad');
CREATE FUNCTION at_most_ten() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT n FROM sums) > 10 THEN RAISE 'too many' USING ERRCODE = 'P0TEN'; END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER at_most_ten AFTER UPDATE ON sums DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION at_most_ten();
SQL
cat >machine.yaml <<'END'
machine: commit
schema: schema.sql
settings: {transactions: commit, examples: 12, steps: 20, seed: 5}
model: |
  accounts = []
  n = 0
rules:
  open:
    let: {id: len(accounts)}
    sql: INSERT INTO accounts VALUES (:id)
    model: accounts.append(len(accounts))
  orphan: {sql: INSERT INTO owners VALUES (-1), raises: foreign_key_violation}
  both:
    let: {id: len(accounts)}
    sql:
      - INSERT INTO owners VALUES (:id)
      - INSERT INTO accounts VALUES (:id)
    model: accounts.append(id)
  add:
    args: {by: 'integers(1, 4)'}
    sql: UPDATE sums SET n = n + :by
    raises: '"P0TEN" if n + by > 10 else None'
    model: n = n + by
  local: {sql: "SELECT set_config('work_mem', '1MB', true)", raises: None}
  later: {sql: "SELECT now() > COALESCE(max(since), '-infinity') FROM accounts", expect: True}
invariants:
  times_differ: {sql: 'SELECT count(*) - count(DISTINCT since), count(*) - count(DISTINCT xact) FROM accounts', expect: '(0, 0)'}
  sum: {sql: SELECT n FROM sums, expect: n}
  local_ended: {sql: "SELECT current_setting('work_mem') <> '1MB'", expect: 'True'}
END

# Bugs that a rollback hides: step by step, ahead, on several connections, on a named server and on an embedded one.
run 0 machine.yaml -d postgres
run 0 machine.yaml -d postgres --no-pipeline
run 0 machine.yaml -d postgres --jobs 2
run 0 machine.yaml --embedded
sed 's/transactions: commit, //' machine.yaml >rolled_back.yaml
run 1 rolled_back.yaml -d postgres
grep -q 'invariant times_differ' report || fail 'the times differ though nothing is committed'
run 0 rolled_back.yaml -d postgres --commit

# The same shortest failure in each mode. The command that repeats the run contains --commit.
sed 's/> 10 else/> 11 else/' rolled_back.yaml >wrong.yaml
for options in '' --no-pipeline '--jobs 2'; do
    # shellcheck disable=SC2086 # words
    run 1 wrong.yaml -d postgres --commit $options
    grep -E '^ *(fail|  add|  expected|  actual)|shrunk to [0-9]+ step' report | sed 's/ in [0-9]* runs.*//' >"shown$options"
done
cmp shown shown--no-pipeline || fail 'another report without a pipeline'
cmp shown 'shown--jobs 2' || fail 'another report with two connections'
grep -q 'shrunk to 3 steps' report || fail 'it is not at its shortest'
grep -q -e '--commit' report || fail 'the way to repeat it does not say --commit'

# Its script commits, too: only in an empty database, only once, and not in a database with tables.
status=0
"$PROGRAM" run wrong.yaml -d postgres --commit --examples 10 >report 2>&1 || status=$?
[ "$status" = 1 ] || fail 'it does not fail'
script=$(ls counterexamples/*.sql)
createdb empty
for wanted in 'the bug is there' 'without tables'; do
    status=0
    psql -qX --dbname empty --file "$script" >report 2>&1 || status=$?
    [ "$status" = 3 ] || fail "psql: exit status $status, not 3"
    grep -q "$wanted" report || fail "psql does not say: $wanted"
done
psql -qXAt --dbname empty --command 'SELECT n FROM sums' >report
[ "$(cat report)" != 0 ] || fail 'it has committed nothing'
status=0
"$PROGRAM" replay "$script" -d postgres >report 2>&1 || status=$?
[ "$status" = 1 ] || fail "replay: exit status $status, not 1"
sed -i 's/(SELECT n FROM sums) > 10/(SELECT n FROM sums) > 11/' schema.sql
"$PROGRAM" replay "$script" -d postgres >report 2>&1 || fail 'it fails though the bug is gone'
sed -i 's/(SELECT n FROM sums) > 11/(SELECT n FROM sums) > 10/' schema.sql

# Refused, with a way out.
run 2 machine.yaml -d postgres --in-place
grep -q 'leave out --in-place' report || fail 'no way out of --in-place'
run 2 machine.yaml -d postgres --no-schema
grep -q 'schema-command' report || fail 'no way out of a named database'
cat >role.yaml <<'END'
machine: role
schema: schema.sql
rules: {make: {sql: CREATE ROLE commit_test}}
END
run 2 role.yaml -d postgres --commit
grep -q 'such as roles' report || fail 'roles are not refused'

# A user who may not put rows back past triggers has a new copy each time.
psql -qX --command 'CREATE ROLE joe LOGIN CREATEDB'
run 0 machine.yaml -d postgres -U joe --examples 3

dropdb empty
left=$(psql -qXAt --command "SELECT count(*) FROM pg_database WHERE datname ~ 'pgfsm'")
[ "$left" = 0 ] || fail "$left databases are left"
tables=$(psql -qXAt --command "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
[ "$tables" = 0 ] || fail "$tables tables are left in the named database"
