#!/bin/sh
# PGlite's socket server: it has one session, in which each connection sees the state that the last one left, and by
# default it accepts only one connection. In place, successive runs work and leave nothing in the session. There are no
# scratch databases.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli/common.sh"
command -v node >/dev/null || {
    echo "SKIPPED: node is not installed"
    exit 77
}
pglite=$("$here/../support/npm.sh" @electric-sql/pglite 0.5.14 \
    68041eee202b705076c35c6dc7dd65de5f6daf184ccc3e9a65ff969e8b121cd870829ef4109cfcd08830fdb1e75b5e1f50415858f068435b06a26f1773426db6) || exit $?
socket=$("$here/../support/npm.sh" @electric-sql/pglite-socket 0.2.17 \
    a24e620825a02984944ad41786e9a34da5c1339fd12aea0716d4354a8f95a1cdc9aaa2e0fcb2508eae55a9f92b9fb893203797efa992ed851ffd9eed9b244331) || exit $?
no_database
common_begin
trap 'servers_stop; common_end' EXIT

# Node finds the packages as if they were installed next to the script.
mkdir -p modules/node_modules/@electric-sql
ln -s "$pglite" modules/node_modules/@electric-sql/pglite
ln -s "$socket" modules/node_modules/@electric-sql/pglite-socket
servers=
server() { # PORT ROOM: in the folder of sockets $DIR, with room for so many connections
    node --preserve-symlinks --preserve-symlinks-main \
        modules/node_modules/@electric-sql/pglite-socket/dist/scripts/server.js --db=memory:// \
        --path="$DIR/.s.PGSQL.$1" --max-connections="$2" >"server-$1" 2>&1 &
    servers="$servers $!"
    until_true grep -q listening "server-$1" || {
        cat "server-$1"
        exit 1
    }
}
servers_stop() {
    # shellcheck disable=SC2086 # words
    [ -z "$servers" ] || kill $servers
}
export PGHOST="$DIR" PGUSER=postgres PGDATABASE=postgres
server 1 1
server 10 10

# Prints the state that is left in the session. The previous connection may take a moment to end.
ask() { # PORT
    psql -qXAt -p "$1" --command 'SHOW default_transaction_read_only' --command 'SHOW search_path' \
        --command 'SELECT count(*) FROM pg_prepared_statements' \
        --command "SELECT count(*) FROM pg_class WHERE relname = 'items'" \
        --command "SELECT count(*) FROM pg_database WHERE datname LIKE 'pgfsm%'" >state 2>psql-err
}
is_clean() { # PORT
    until_true ask "$1"
    [ "$(tr '\n' ' ' <state)" = 'off public 0 0 0 ' ] || complain "$said: left: $(cat state)"
}

for room in 1 10; do
    for _ in 1 2; do
        runs 0 run "$here/../../machines/items.yaml" --in-place -p "$room" --seed 1 --examples 10 --no-save
        is_clean "$room"
    done
    runs 1 run "$here/../../machines/items.yaml" --in-place -p "$room" --seed 1 \
        --apply "$here/../../sql/bugs/items-reused-id.sql"
    out "FAIL  items"
    cp out found
    is_clean "$room"
    # Each script finds the bug, whatever the one before it has left.
    runs 1 replay counterexamples/*.sql -p "$room"
    [ "$(grep -c '^not ok 1' out)" = "$(grep -c '^FAIL' <found)" ] || complain "$said: scripts don't find the bug: $(cat out)"
    is_clean "$room"
    rm -rf .pgfsm counterexamples
done

# A database with another name is the same database, so no schema is loaded into it.
runs 2 run "$here/../../machines/items.yaml" -p 10
err "could not create a scratch database: a connection to it leads to the database postgres"
err "--in-place needs no scratch database"
is_clean 10
runs 3 run "$here/../../machines/items.yaml" -p 1
err "it needs a second connection"
err "--in-place needs no scratch database"
is_clean 1

# Ctrl-C takes the connection away in the middle of the transaction.
echo 'CREATE TABLE items (n int);' >long.sql
cat >long.yaml <<'END'
machine: long
schema: long.sql
settings: {examples: 1000000}
model: |
  print("begun")
rules:
  add: {sql: INSERT INTO items VALUES (1)}
END
begin run long.yaml --in-place -p 1
until_true grep -q begun err
kill -INT $!
ends 130
is_clean 1
finish
