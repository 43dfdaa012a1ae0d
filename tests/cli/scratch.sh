#!/bin/sh
# Scratch databases on a named server: databases that an earlier run left are dropped and reported, and no others. Also
# tests a connection that is lost during CREATE DATABASE.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
ask() { psql -qXAt --command "$1"; }
databases() { ask "SELECT datname FROM pg_database ORDER BY 1"; }

echo 'CREATE TABLE t (n int);' >simple.sql
cat >simple.yaml <<END
machine: simple
schema: simple.sql
settings: {examples: 1, steps: 1}
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END

# Names that pgfsm does not give are not its own.
for name in cafe 0123456789abcde 0123456789abcdef0 0123456789ABCDEF 0123456789abcdeg mine; do
    createdb "pgfsm_scratch_$name"
done
before=$(databases)
createdb pgfsm_scratch_0123456789abcdef
runs 0 run simple.yaml --no-save
err "pgfsm: dropped the scratch database pgfsm_scratch_0123456789abcdef, which an earlier run left behind"
[ "$before" = "$(databases)" ] || complain "$said: databases: $(databases)"
runs 0 run simple.yaml --no-save
err_lacks dropped

# The database exists, but the connection is lost before the answer: the commit waits for a standby that does not exist.
ask "CREATE ROLE owner LOGIN CREATEDB"
ask "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
reload() { ask "SELECT pg_reload_conf()" >/dev/null; }
waits() { # WORD
    ask "SELECT 'waits' FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query ~ '^$1 DATABASE'" | grep -q waits
}
dropping() { waits DROP || ! kill -0 "$run" 2>/dev/null; }
lose() {
    reload
    PGOPTIONS='-c synchronous_commit=on' begin run simple.yaml --no-save -U owner
    run=$!
    until_true waits CREATE
    [ -z "$1" ] || ask "$1"
    ask "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'owner'" >/dev/null
}
lose ''
until_true dropping
ask "ALTER SYSTEM RESET synchronous_standby_names"
reload
ends 3
err "could not create a scratch database: the connection to the database was lost"
err_lacks "left behind"
[ "$before" = "$(databases)" ] || complain "$said: databases: $(databases)"

# And can't be had again: it is said, and the next run drops the database.
ask "ALTER SYSTEM SET synchronous_standby_names = 'nobody'"
lose "ALTER ROLE owner CONNECTION LIMIT 0"
ends 3
err "the scratch database pgfsm_scratch_"
err " may be left behind: the server refuses the connection: too many connections for role"
ask "ALTER SYSTEM RESET synchronous_standby_names"
reload
ask "ALTER ROLE owner CONNECTION LIMIT -1"
runs 0 run simple.yaml --no-save -U owner
err "dropped the scratch database"
[ "$before" = "$(databases)" ] || complain "$said: databases: $(databases)"
finish
