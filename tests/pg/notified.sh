#!/bin/sh
# `listen` and result.notifications: each step gets only its own notifications, in each mode. Also tests refused uses.
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

cat >schema.sql <<'SQL'
CREATE TABLE jobs (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL);
CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('Jobs', NEW.id || ' ' || NEW.kind); RETURN NULL; END $$;
CREATE TRIGGER announce AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION announce();
SQL
cat >machine.yaml <<'END'
machine: notified
schema: schema.sql
listen: [Jobs, "an \"other\" one"]
settings: {transactions: commit, examples: 12, steps: 20, seed: 5}
initialize:
  - {sql: INSERT INTO jobs (kind) VALUES ('first'), check: 'result.notifications == [("Jobs", "1 first")]'}
  - {args: {n: 'integers(0, 9)'}, sql: "SELECT pg_notify('Jobs', :n::text)", check: 'result.notifications == [("Jobs", str(n))]'}
rules:
  add:
    args: {kind: 'sampled_from(["a", "b"])'}
    sql: INSERT INTO jobs (kind) VALUES (:kind) RETURNING id
    check: result.notifications == [("Jobs", str(result.value) + " " + kind)]
  unread: {sql: INSERT INTO jobs (kind) VALUES ('unread')}
  fails: {sql: INSERT INTO jobs (kind) VALUES ('fails'); SELECT 1 / 0, raises: division_by_zero}
  outside:
    transaction: none
    sql:
      - INSERT INTO jobs (kind) VALUES ('outside')
      - NOTIFY "an ""other"" one"
      - NOTIFY nobody
      - SELECT 1
    check: '[n.channel for n in result.notifications] == ["Jobs", "an \"other\" one"]'
  twice:
    sql: SELECT pg_notify('Jobs', 'é') FROM generate_series(1, 3)
    check: result.notifications == [("Jobs", "é")]
  quiet: {sql: SELECT 1, check: 'result.notifications == []'}
invariants:
  some: {sql: SELECT count(*) > 0 FROM jobs, expect: True}
END
for options in '' --no-pipeline '--jobs 2'; do
    # shellcheck disable=SC2086 # words
    run 0 machine.yaml $options
done

# The report shows the notifications. A script can't check them, but checks the rest.
sed 's/kind)\]$/"x")]/' machine.yaml >wrong.yaml
run 1 wrong.yaml
grep -q 'notified of \[("Jobs", "2 a")\]' report || fail 'what came is not shown'
grep -q "no script: SQL can't ask for notifications" report || fail 'it does not say why there is no script'
sed 's/check: result.notifications == \[("Jobs", str.*/check: result.value < 3/' machine.yaml >wrong.yaml
run 1 wrong.yaml
"$PROGRAM" replay counterexamples/*.sql -d postgres >report 2>&1 && fail 'the script does not fail'

sed '/^listen/d' machine.yaml >deaf.yaml
run 2 deaf.yaml
grep -q 'deaf.yaml:5:68: error: the session listens to no channel' report || fail 'the check is not named'
grep -q 'listen: jobs' report || fail 'no way out'
sed 's/transactions: commit, //; /outside:/,/check:/d' machine.yaml >rolled_back.yaml
run 2 rolled_back.yaml
grep -q 'rolled_back.yaml:3:9: error: .listen' report || fail 'the key is not named'
