#!/bin/sh
# `pgfsm diff` on a server that has no room for all the connections that --jobs wants: it goes on with fewer, and says so.
# The named databases stay as they are.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

echo 'CREATE TABLE t (id int PRIMARY KEY, at timestamptz DEFAULT now());' >schema.sql
echo 'ALTER TABLE t ADD n int DEFAULT 1;' >more.sql
cat >m.yaml <<'END_YAML'
machine: m
rules:
  add: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t (id) VALUES (:n)"}
END_YAML
databases() {
    psql -AtqX -c "SELECT count(*) FROM pg_database" postgres
}
before=$(databases)
# limited N WORD...: as a role of at most N connections.
limited() {
    psql -qX -c "ALTER ROLE few CONNECTION LIMIT $1" postgres
    shift
    runs 0 diff m.yaml -U few -d postgres --schema schema.sql --seed 1 --examples 40 --steps 10 "$@"
    [ "$(databases)" = "$before" ] || complain "$said: left a database"
}
psql -qX -c 'CREATE ROLE few LOGIN CREATEDB' postgres

limited 40 --new-schema schema.sql --jobs 3
err_lacks "connections"
out_lacks "connections"
limited 12 --new-schema schema.sql --jobs 6
cat out err >both
holds both "of 6 connections"
limited 12 --apply more.sql --jobs 6
cat out err >both
holds both "of 6 connections"

# Two databases as they are: nothing is committed in either, and a difference is found.
createdb old
createdb new
psql -qX -f schema.sql old
psql -qX -f schema.sql -f more.sql new
psql -qX -c 'ALTER TABLE t ADD CHECK (id < 8)' new
psql -qX -c "INSERT INTO t VALUES (0, '2020-01-01')" old
psql -qX -c "INSERT INTO t VALUES (0, '2020-01-01')" new
state() {
    for name in old new; do
        pg_dump --restrict-key=x "$name" 2>/dev/null || pg_dump "$name"
    done
}
state >state.before
runs 1 diff m.yaml -d old --new-dbname new --seed 1 --examples 20 --steps 5 --jobs 3
out "rule add (step 1) succeeded before and raised check_violation after"
state >state.after
cmp state.before state.after || complain "$said: changed a named database"
runs 2 diff m.yaml -d old --new-dbname new --seed 1 --examples 20 --steps 5 --commit
[ "$(databases)" = $((before + 2)) ] || complain "$said: left a database"
left_nothing
finish
