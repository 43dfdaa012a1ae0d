#!/bin/sh
# A query of pgfsm's own that takes longer than statement_timeout: the message names the limit.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >machine.yaml <<'END'
machine: waiting
settings: {statement_timeout: 300ms}
rules: {look: {sql: SELECT 1}}
END
runs 0 run machine.yaml -d postgres --no-save --examples 1

# Another session keeps a relation of the catalog that only such a query reads.
mkfifo statements
psql -qX <statements >/dev/null 2>&1 &
exec 9>statements
echo 'BEGIN; LOCK TABLE pg_catalog.pg_foreign_table IN ACCESS EXCLUSIVE MODE;' >&9
echo '\! touch locked' >&9
until_true test -e locked
runs 2 run machine.yaml -d postgres --no-save --examples 1
err "a query of pgfsm's own took longer than statement_timeout, 300 ms: give the machine more in its settings"
exec 9>&-
wait
finish
