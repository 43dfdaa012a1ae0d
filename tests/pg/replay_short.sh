#!/bin/sh
# A replay script contains nothing unnecessary: deferred constraints are listed once, at the head, and roles and
# settings are set only when they change. Commands in its head are complete.
set -u

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/replay_kind.sh"

server_start tcp
cd "$SERVER_DIR" || exit 1
createdb empty

{
    echo 'CREATE TABLE parent (id int PRIMARY KEY, who text);'
    for i in 1 2 3 4 5 6 7 8; do
        echo "CREATE TABLE child_$i (parent int CONSTRAINT child_${i}_refers_to_its_parent
            REFERENCES parent DEFERRABLE INITIALLY DEFERRED);"
    done
    echo "DO \$\$ BEGIN CREATE ROLE web NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END \$\$;"
    echo 'GRANT ALL ON ALL TABLES IN SCHEMA public TO web;'
    echo "CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM parent';"
    echo "CREATE FUNCTION refuse() RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN RAISE no_data_found; END \$\$;"
} >schema.sql
machine='contexts:
  ann: {role: web, claims: '"'"'{"sub": "ann"}'"'"'}
as: ann
model: n = 0
rules:
  add: {sql: "INSERT INTO parent SELECT count(*), current_setting('"'request.jwt.claims'"') FROM parent", model: n += 1}'

# count NUMBER PATTERN: lines of the script that have it.
count() {
    found=$(grep -cE -e "$2" "$script")
    [ "$found" = "$1" ] || {
        complain "$name: $found lines with $2, not $1"
        cat "$script"
    }
}

bug="CREATE OR REPLACE FUNCTION total() RETURNS bigint LANGUAGE sql AS 'SELECT least(count(*), 4) FROM parent';"
kind short "$bug" <<END_OF_MACHINE
$machine
invariants:
  total: {sql: SELECT total(), expect: n}
END_OF_MACHINE
count 5 'INSERT INTO parent'
count 1 'child_4_refers_to_its_parent'
count 5 '^:defer_again;'
count 2 'set_config\(.request.jwt.claims'
rm -rf out-short

# As deep as a folder may be: a command to be copied is not cut.
deep=$PWD/$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 10)_folder/with_a_name_that_is_rather_long/and_another_one_in_it/where_scripts_are
echo "$bug" >short-bug.sql
PGDATABASE=postgres "$PROGRAM" run short.yaml --apply short-bug.sql --seed 3 --out "$deep" >report 2>&1
script=$(ls "$deep"/*.sql)
for command in "--     psql -X -f $script" "-- or, on a server started for it: pgfsm replay $script"; do
    grep -qxF -e "$command" "$script" || {
        complain "not in the head: $command"
        head -n 25 "$script"
    }
done
exit "$failed"
