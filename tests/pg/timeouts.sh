#!/bin/sh
# Time limits that a role has for its ordinary work (ALTER ROLE … SET) end nothing of a run: the transaction
# lasts as long as the run does, and a machine says itself how long a statement may take.
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

limits='statement_timeout idle_in_transaction_session_timeout idle_session_timeout'
[ "$SERVER_MAJOR" -lt 17 ] || limits="$limits transaction_timeout"
for limit in $limits; do
    psql -qX --command "ALTER ROLE postgres SET $limit = '150ms'"
    for run in 'machine.yaml' 'schema.yaml' 'schema.yaml --in-place'; do
        status=0
        # shellcheck disable=SC2086 # words
        "$PROGRAM" run $run --examples 2 --steps 2 --seed 1 --no-save >report 2>&1 || status=$?
        [ "$status" = 0 ] || {
            echo "FAILED: run $run with $limit: exit status $status"
            cat report
            failed=1
        }
    done
    psql -qX --command "ALTER ROLE postgres RESET $limit"
done
exit "$failed"
