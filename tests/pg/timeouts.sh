#!/bin/sh
# Time limits that a role has for its ordinary work (ALTER ROLE … SET) don't affect a run: the transaction lasts as long
# as the run, and the machine has its own statement timeout.
set -u
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
failed=0

echo 'CREATE TABLE item (id int); SELECT pg_sleep(0.4);' >slow.sql
cat >machine.yaml <<'EOF'
machine: slow
rules:
  wait: {sql: SELECT pg_sleep(0.2)}
EOF
{ echo 'schema: slow.sql' && cat machine.yaml; } >schema.yaml
# Another connection restores the changed tables. It is idle for a long time between two examples.
cat >written.yaml <<'EOF'
machine: written
schema: slow.sql
rules:
  write: {sql: INSERT INTO item SELECT 1 FROM pg_sleep(0.2)}
invariants:
  wait: SELECT FROM pg_sleep(0.2) WHERE false
EOF

# How long a session waits for another one's lock is pgfsm's to decide.
cat >locked.sql <<'EOF'
CREATE TABLE item (id int);
INSERT INTO item VALUES (1);
CREATE FUNCTION touch() RETURNS void LANGUAGE plpgsql AS 'BEGIN UPDATE item SET id = id; PERFORM pg_sleep(0.2); END';
EOF
cat >locked.yaml <<'EOF'
machine: locked
schema: locked.sql
rules:
  touch: {sql: SELECT touch()}
EOF

limits='lock_timeout statement_timeout idle_in_transaction_session_timeout idle_session_timeout'
[ "$SERVER_MAJOR" -lt 17 ] || limits="$limits transaction_timeout"
for limit in $limits; do
    psql -qX --command "ALTER ROLE postgres SET $limit = '150ms'"
done
for run in 'machine.yaml' 'schema.yaml' 'schema.yaml --in-place' 'written.yaml --commit' \
    'locked.yaml --sessions 2'; do
    status=0
    # shellcheck disable=SC2086 # words
    "$PROGRAM" run $run --examples 3 --steps 1 --seed 1 --no-save >report 2>&1 || status=$?
    [ "$status" = 0 ] || {
        echo "FAILED: run $run: exit status $status"
        cat report
        failed=1
    }
done
exit "$failed"
