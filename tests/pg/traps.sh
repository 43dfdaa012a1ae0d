#!/bin/sh
# Our SQL uses only objects in pg_catalog, whatever the search_path is. In each mode of pgfsm, a superuser works in a
# database with a double of every object of pg_catalog earlier in the search_path (traps/traps.sql). pgfsm must not use
# any of these. By night ($PGFSM_TEST_ALL) also with mutants in a scratch database, and the scripts of every kind of failure.
set -u

traps=$(cd "$(dirname "$0")/traps" && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
failed=0
quiet='-c search_path= -c client_min_messages=error' # for what is not pgfsm's

complain() {
    echo "traps.sh: $*"
    failed=1
}

# The traps that were stepped into.
sprung() {
    grep -oE 'sprung by postgres: .*' "$SERVER_DIR/log" | sort | uniq -c | sort -rn
}

# steps_into_none STATUS WHAT ARGUMENT...
steps_into_none() {
    wanted=$1
    what=$2
    shift 2
    status=0
    : >"$SERVER_DIR/log"
    "$@" >out 2>&1 || status=$?
    found=$(sprung)
    [ -z "$found" ] || complain "$what steps into traps:
$found"
    if [ "$status" != "$wanted" ]; then
        complain "$what: exit status $status"
        cat out
    fi
}

# database NAME FILE...
database() {
    name=$1
    shift
    createdb "$name"
    for file; do
        PGOPTIONS=$quiet psql -qX -v ON_ERROR_STOP=1 -d "$name" -f "$file" || exit 1
    done
    psql -qX -c "ALTER DATABASE $name SET search_path = information_schema, pg_catalog, public"
}
database empty "$traps/traps.sql"
database named "$traps/traps.sql" "$traps/schema.sql"
psql -qX -d named -c "SELECT 1 WHERE current_user = 'postgres'" >out
sprung | grep -q 'sprung by postgres: operator = (name, name)' || complain "the traps do not work"
PGOPTIONS=$quiet psql -qXAt -d named -o out <<'END'
SELECT o.oid::pg_catalog.regoperator FROM pg_catalog.pg_operator AS o
WHERE o.oprnamespace = 'pg_catalog'::pg_catalog.regnamespace AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_operator AS d
    WHERE d.oprnamespace = 'information_schema'::pg_catalog.regnamespace
      AND (d.oprname, d.oprleft, d.oprright) = (o.oprname, o.oprleft, o.oprright))
END
[ ! -s out ] || complain "operators without a trap: $(cat out)"

# A scratch database of traps.
cat >trapped.sql <<'END'
\ir traps.sql
\ir schema.sql
ALTER DATABASE :DBNAME SET search_path = information_schema, pg_catalog, public;
END
cp "$traps"/*.sql .
machine() { # NAME, with what to add on the standard input
    {
        echo "machine: $1"
        cat "$traps/machine.yaml" -
    } >"$1.yaml"
}
machine named </dev/null
echo 'schema: schema.sql' | machine schema
echo 'schema: trapped.sql' | machine trapped
run() { # WHAT ARGUMENT...
    asked=$1
    shift
    steps_into_none 0 "$asked" "$PROGRAM" run --seed 1 --examples 20 --no-save "$@"
}
mutate() { # WHAT ARGUMENT...
    asked=$1
    shift
    steps_into_none 0 "$asked" "$PROGRAM" mutate --seed 1 --examples 3 --steps 20 --only '*-check' --only '*-key' \
        --only 'policy-*' --only '*app.add*' --only '*app.twice*' "$@"
}

steps_into_none 0 'init' "$PROGRAM" init -d named -o first.yaml
steps_into_none 0 'check' "$PROGRAM" check named.yaml -d named
run 'run in place' named.yaml -d named --stats
run 'run in place, with the files' schema.yaml -d empty --in-place
run 'run in a scratch database' schema.yaml -d named --stats
run 'run in a scratch database of traps' trapped.yaml --stats
run 'run --commit' trapped.yaml --commit --stats
run 'run --sessions' trapped.yaml --sessions 2
mutate 'mutate in place' named.yaml -d named
if [ -n "$TEST_ALL" ]; then
    mutate 'mutate' trapped.yaml
    mutate 'mutate --commit' trapped.yaml --commit
fi

# A scratch database belongs to the connecting user, not to a role that the settings of the named database make every
# session assume.
psql -qX -c 'CREATE ROLE mallory LOGIN CREATEDB' -c 'CREATE DATABASE hers OWNER mallory'
psql -qX -d hers -U mallory -c 'ALTER DATABASE hers SET role = mallory'
run 'run beside a role' schema.yaml -d hers --keep
owner=$(psql -qXAt -c "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname LIKE 'pgfsm_kept_%'")
[ "$owner" = postgres ] || complain "a scratch database belongs to $owner"

# Scripts of failures, by psql and by pgfsm replay. Those that commit are played in a database of traps without tables.
script() { # PLACE WHAT ARGUMENT...
    place=$1
    asked=$2
    shift 2
    rm -rf scripts
    steps_into_none 1 "run of $asked" "$PROGRAM" run "$@" --seed 1 --examples 20 --out scripts
    set -- scripts/*.sql
    psql -qX -c 'CREATE DATABASE played TEMPLATE '"$place"
    psql -qX -c 'ALTER DATABASE played SET search_path = information_schema, pg_catalog, public'
    steps_into_none 3 "script of $asked" psql -X -d played -f "$1"
    grep -q '^not ok 1 - ' out || complain "script of $asked: it does not come to an end: $(cat out)"
    psql -qX -c 'DROP DATABASE played'
    steps_into_none 1 "replay of $asked" "$PROGRAM" replay "$1" -d "$place"
}
cp "$traps"/*.yaml .
sed '/^description:/a schema: schema.sql' broken.yaml >committed.yaml
kinds='rows error'
[ -z "$TEST_ALL" ] || kinds='rows order chosen count affects error missing slow'
for rule in $kinds; do
    script named "$rule" broken.yaml -d named --rule add --rule "$rule"
done
script empty 'error, committed' committed.yaml --commit --rule add --rule error
[ -z "$TEST_ALL" ] || script empty 'rows, committed' committed.yaml --commit --rule add --rule rows
script empty 'race' race.yaml --sessions 2
exit "$failed"
