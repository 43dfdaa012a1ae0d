#!/bin/sh
# PgBouncer in front of the server. In session mode everything works except several sessions. In the other modes, pgfsm
# reports the problem, and leaves nothing in the sessions of other clients. pgfsm checks scratch databases, because a
# pooler may map their names to its own database.
# shellcheck disable=SC2317 # functions that the trap calls
set -u
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/../cli/common.sh"
command -v pgbouncer >/dev/null || {
    echo "SKIPPED: pgbouncer is not installed"
    exit 77
}
server_start socket
common_begin
trap 'poolers_stop; common_end; server_stop' EXIT
direct="-h $PGHOST -p $PGPORT -U joe"
psql -qX --set ON_ERROR_STOP=1 <<'END'
CREATE ROLE joe LOGIN CREATEDB;
CREATE ROLE guest;
GRANT guest TO joe;
CREATE DATABASE app OWNER joe;
CREATE DATABASE latin OWNER joe TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C';
END

pools=$SERVER_DIR/pools
mkdir "$pools"
chmod 777 "$pools"
echo '"joe" ""' >"$pools/users"

# pooler NAME PORT MODE [SETTING...]: starts a pooler with the entries in $databases.
pooler() {
    name=$1 port=$2 mode=$3
    shift 3
    printf '%s\n' '[databases]' "$databases" '[pgbouncer]' "unix_socket_dir = $pools" 'listen_addr =' \
        "listen_port = $port" "pool_mode = $mode" 'auth_type = trust' "auth_file = $pools/users" \
        "pidfile = $pools/$name.pid" "logfile = $pools/$name.log" "$@" >"$pools/$name.ini"
    chmod 644 "$pools/users" "$pools/$name.ini"
    server_as_user pgbouncer -q -d "$pools/$name.ini" >/dev/null 2>&1 || {
        echo "pgbouncer does not start: $(cat "$pools/$name.log")"
        exit 1
    }
}
poolers_stop() {
    for pid in "$pools"/*.pid; do
        [ ! -f "$pid" ] || kill "$(cat "$pid")"
    done
}
backend="host=$SERVER_SOCKET port=$SERVER_PORT"
databases="* = $backend"
pooler session 6432 session
pooler kept 6433 session 'server_reset_query =' 'default_pool_size = 1'
pooler transaction 6434 transaction
pooler turns 6435 transaction 'server_round_robin = 1'
pooler statement 6436 statement
databases="app = $backend"
pooler only 6437 session
databases="app = $backend
* = $backend dbname=app"
pooler same 6438 session
databases="app = $backend pool_mode=session
* = $backend"
pooler mixed 6439 transaction
export PGHOST="$pools" PGUSER=joe PGDATABASE=app
unset PGPORT

cat >s.sql <<'END'
CREATE TABLE stock (item text PRIMARY KEY, quantity integer NOT NULL CHECK (quantity >= 0));
END
cat >stock.yaml <<'END'
machine: stock
schema: s.sql
settings: {seed: 1, examples: 10, steps: 10}
model: |
  stock = {}
rules:
  receive:
    args: {item: 'sampled_from(["nüt", "bolt"])', n: "integers(1, 10)"}
    sql: |
      INSERT INTO stock VALUES (:item, :n)
      ON CONFLICT (item) DO UPDATE SET quantity = stock.quantity + EXCLUDED.quantity
    model: stock[item] = stock.get(item, 0) + n
invariants:
  quantities: {sql: "SELECT item, quantity FROM stock", expect: stock}
END
cat >told.yaml <<'END'
machine: told
schema: s.sql
settings: {seed: 1, examples: 2, steps: 2, transactions: commit}
listen: news
rules:
  tell:
    sql: SELECT pg_notify('news', 'x')
    check: 'result.notifications == [("news", "x")]'
END
no_traces() {
    # shellcheck disable=SC2086 # words
    [ -z "$(psql -qXAt $direct -d app --command "SELECT datname FROM pg_database WHERE datname ~ '^pgfsm'" \
        --command "SELECT relname FROM pg_class WHERE relname = 'stock'")" ] || complain "$said: something is left"
    left_nothing
}

# Sessions.
for options in '' '--in-place' '--jobs 2' '--commit' '--in-place -d latin'; do
    # shellcheck disable=SC2086
    runs 0 run stock.yaml -p 6432 $options
    out_lacks warning
    no_traces
done
runs 0 run told.yaml -p 6432

# A file sets what new connections to the database have: the next file, and the run, have it.
cat >path.sql <<'END'
CREATE SCHEMA shop;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = shop', current_database()); END $$;
END
sed 's/^schema: .*/schema: [path.sql, s.sql]/; s/INTO stock VALUES/INTO shop.stock VALUES/' stock.yaml >path.yaml
runs 0 run path.yaml -p 6432
no_traces

# The pooler keeps the session of a client that dies, and its locks: refused before anybody dies.
runs 2 run stock.yaml -p 6432 --crash --examples 1 --steps 1
err "a pooler keeps the server's session when its client dies, so nothing would end"
err "connect to the server itself, or leave out --crash and \`crash\`"
no_traces
runs 2 run stock.yaml -p 6432 --sessions 2
err "sessions side by side can't go through a pooler"
err "connect to the server itself, or leave out --sessions and \`sessions\`"
no_traces
echo 'ALTER TABLE stock ADD note text;' >note.sql
runs 1 locks stock.yaml -p 6432 --migrate note.sql
out 'AccessExclusiveLock'
no_traces
runs 0 run stock.yaml -p 6432 --keep
err "kept the scratch database: psql -d pgfsm_kept_"
# shellcheck disable=SC2086
for kept in $(psql -qXAt $direct -d app --command "SELECT datname FROM pg_database WHERE datname ~ '^pgfsm_kept'"); do
    psql -qX $direct -d app --command "DROP DATABASE $kept WITH (FORCE)"
done

# A failure is confirmed on a new connection, and its script runs.
sed 's/stock.get(item, 0) + n/n/' stock.yaml >wrong.yaml
for options in '' --in-place; do
    # shellcheck disable=SC2086
    runs 1 run wrong.yaml -p 6432 $options
    out "FAIL  stock  invariant quantities after receive (step 2): item=\"nüt\" has quantity 2, expected 1"
    script=$(ls counterexamples/*.sql)
    runs 1 replay "$script" -p 6432
    out "not ok 1"
    rm -rf .pgfsm counterexamples
    no_traces
done

# One session that all clients use in turn without a reset: a run ignores state that others left in it, and leaves none.
settings() {
    psql -qXAt -p 6433 --command 'SHOW default_transaction_read_only' --command 'SHOW search_path' \
        --command 'SELECT count(*) FROM pg_prepared_statements' --command 'SELECT current_user' | tr '\n' ' '
}
others() {
    psql -qX -p 6433 --command 'PREPARE pgfsm_mark AS SELECT 1' --command 'CREATE TEMP TABLE stock (n int)' \
        --command 'SET default_transaction_read_only = on' --command 'SET search_path = nowhere' \
        --command 'SET statement_timeout = 1' --command 'SET ROLE guest' >/dev/null
}
clean=$(settings)
for options in --in-place ''; do
    others
    for _ in 1 2; do
        # shellcheck disable=SC2086
        runs 0 run stock.yaml -p 6433 $options
        [ "$(settings)" = "$clean" ] || complain "$said: left in the session: $(settings)"
    done
    no_traces
done
runs 1 run wrong.yaml -p 6433 --in-place
for _ in 1 2; do
    others
    runs 1 replay counterexamples/*.sql -p 6433
    out "not ok 1"
    [ "$(settings)" = "$clean" ] || complain "$said: left in the session: $(settings)"
done
rm -rf .pgfsm counterexamples

# Transaction mode and statement mode don't work.
for port in 6434 6435 6436; do
    what=transaction
    [ $port != 6436 ] || what=statement
    for options in '' --in-place; do
        # shellcheck disable=SC2086
        runs 3 run stock.yaml -p $port $options
        err "the server's pooler gives each $what another session"
        err "connect to the server itself"
        no_traces
    done
    settings=$(psql -qXAt -p $port --command 'SHOW default_transaction_read_only')
    [ "$settings" = off ] || complain "port $port: left in the session"
done

# What docs/POOLERS.md finds on the server itself: in transaction mode, the next client gets a setting, and a lock again.
ask() {
    psql -qXAt -p 6434 --command "$1"
}
ask "SELECT set_config('app.user', 'ann', false)" >/dev/null
[ "$(ask "SELECT current_setting('app.user', true)")" = ann ] || complain "no setting leaks"
[ "$(ask 'SELECT pg_try_advisory_lock(1)')$(ask 'SELECT pg_try_advisory_lock(1)')" = tt ] || complain "no lock leaks"

# A database that the pooler does not know, or maps to another one or to other settings.
runs 3 run stock.yaml -p 6437
err "could not create a scratch database: the server refuses the connection: no such database: pgfsm_scratch_"
err "--in-place needs no scratch database"
no_traces
runs 0 run stock.yaml -p 6437 --in-place
runs 2 run stock.yaml -p 6438
err "could not create a scratch database: a connection to it leads to the database app"
no_traces
runs 3 run stock.yaml -p 6439
err "the server's pooler gives each transaction another session"
no_traces

# A start-up parameter that the pooler refuses: its message is shown.
with='PGOPTIONS=-cwork_mem=1MB' runs 3 run stock.yaml -p 6432
err "unsupported startup parameter: options"
err "connect to the server itself"
finish
