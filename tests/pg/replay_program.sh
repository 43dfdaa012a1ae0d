#!/bin/sh
# pgfsm replay: on a server that it starts, and over TCP as a user that is no superuser; scripts that load
# their schema themselves, and those whose schema has to be loaded first, as it can't be loaded inside a
# transaction.
set -u

here=$(cd "$(dirname "$0")" && pwd)
. "$here/server.sh"
failed=0

complain() {
    echo "FAILED: $*"
    failed=1
}

server_start tcp
cd "$SERVER_DIR" || exit 1
psql -qX --set ON_ERROR_STOP=1 --file "$here/../../ci/role.sql"
createdb --owner=pgfsm_ci empty

# The environment of a user without a server, and of one with another server.
alone() {
    env -u PGHOST -u PGPORT -u PGUSER -u PGDATABASE "$@"
}
remote() {
    PGHOST=127.0.0.1 PGDATABASE=empty PGUSER=pgfsm_ci PGPASSWORD=pgfsm_ci "$@"
}

# replays WHERE WHEN STATUS LINE
replays() {
    status=0
    "$1" "$PROGRAM" replay "$script" >tap 2>err || status=$?
    if [ "$status" != "$3" ] || ! grep -q "$4" tap || [ "$(grep -c -v '^#' tap)" != 2 ]; then
        complain "$name, $1, $2: exit status $status, not $3"
        cat tap err "$script"
    fi
}

# scripted NAME FIRST BUG: the machine pay.yaml with schema.sql fails with BUG, and its script holds
# without it; `Load first` is in its head as often as FIRST says.
scripted() {
    name=$1
    sed "s/^machine: .*/machine: $1/" pay.yaml >"$1.yaml"
    printf '%s\n' "$3" >bug.sql
    alone "$PROGRAM" run "$1.yaml" --apply bug.sql --seed 3 --examples 30 --out "out-$1" >report 2>&1
    script=$(ls "out-$1"/*.sql 2>/dev/null)
    [ -n "$script" ] || {
        complain "$1: no script"
        cat report
        return
    }
    found=$(grep -c '^-- Load first: ' "$script")
    [ "$found" = "$2" ] || complain "$1: $found files are to be loaded first, not $2"
    for where in alone remote; do
        replays "$where" "with the bug" 1 '^not ok 1 - '
    done
    by_psql "with the bug" 3
    printf '%s\n' "${4:-}" >bug.sql
    for where in alone remote; do
        replays "$where" "with the fix" 0 '^ok 1 - '
    done
    by_psql "with the fix" 0
}

# by_psql WHEN STATUS: as the script's head says, by hand.
by_psql() {
    createdb byhand
    sed -n 's/^-- Load first: //p' "$script" | while read -r file; do
        psql -qX -d byhand --set ON_ERROR_STOP=1 -f "$(dirname "$script")/$file" >/dev/null 2>&1 ||
            echo "psql can't load $file"
    done
    status=0
    psql -X -d byhand -f "$script" >tap 2>err || status=$?
    [ "$status" = "$2" ] || {
        complain "$name, psql, $1: exit status $status, not $2"
        cat tap err
    }
    dropdb byhand
}

cat >pay.yaml <<'YAML'
machine: pay
schema: schema.sql
model: |
  balances = {}
rules:
  open:
    sql: INSERT INTO accounts DEFAULT VALUES RETURNING id
    model: balances[result.value] = 0
    target: accounts
  pay:
    args: {account: accounts}
    sql: SELECT pay(:account)
    model: balances[account] += 1
invariants:
  balances:
    sql: SELECT id, balance FROM accounts
    expect: balances
YAML
plain="CREATE TYPE state AS ENUM ('open');
CREATE TABLE accounts (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, state state NOT NULL DEFAULT 'open',
    balance int NOT NULL DEFAULT 0);
CREATE FUNCTION pay(account int) RETURNS void LANGUAGE sql
    AS 'UPDATE accounts SET balance = balance + 1 WHERE id = account';"
bug="CREATE OR REPLACE FUNCTION pay(account int) RETURNS void LANGUAGE sql AS 'SELECT';"

echo "$plain" >schema.sql
scripted plain 0 "$bug"

printf '%s\n' "$plain" 'CREATE INDEX CONCURRENTLY ON accounts (balance);' >schema.sql
scripted concurrently 1 "$bug"

printf '%s\n' "$plain" "ALTER TYPE state ADD VALUE 'closed';" "ALTER TABLE accounts ALTER state SET DEFAULT 'closed';" >schema.sql
scripted value 1 "$bug"

printf '%s\n' BEGIN\; "$plain" COMMIT\; 'VACUUM accounts;' >schema.sql
scripted transaction 1 "$bug"

# psql connects to the server's real address; options before it stay.
printf '%s\n' "$plain" '\c' "SET search_path = '';" >schema.sql
scripted connect 1 "$bug"

# A file that is loaded first takes those before it along.
echo "$plain" >schema.sql
scripted behind 2 "$bug CREATE INDEX CONCURRENTLY ON accounts (balance);"

# What needs a simulated clock proves nothing on a server without one, and does not look as if it did.
sed 's/^machine: pay/machine: clocked\nclock: 2026-01-01/' pay.yaml >clocked.yaml
printf '%s\n' "$bug" >bug.sql
alone "$PROGRAM" run clocked.yaml --apply bug.sql --seed 3 --examples 30 --out out-clocked >report 2>&1
behind=$script
script=out-clocked/clocked-balances.sql
name=clocked
replays alone "with the bug" 1 '^not ok 1 - '
printf '\n' >bug.sql
by_psql "without a simulated clock" 3
if ! grep -q 'the clock of this server is not simulated' err || grep -q 'ok' tap; then
    complain "clocked, psql"
    cat tap err
fi

script=$behind

# A user who is not allowed to create databases gets instructions.
psql -qX -c "ALTER ROLE pgfsm_ci NOCREATEDB"
printf '%s\n' "$bug" 'VACUUM;' >bug.sql
status=0
remote "$PROGRAM" replay "$script" >out 2>&1 || status=$?
if [ "$status" != 2 ] || ! grep -q 'into an empty database, and run psql -X -f' out; then
    complain "without CREATEDB: exit status $status"
    cat out
fi

left=$(psql -XAt -d empty -c "SELECT datname FROM pg_database
    WHERE datname NOT IN ('postgres', 'template0', 'template1', 'empty')
    UNION ALL SELECT relname FROM pg_class WHERE relname = 'accounts'")
[ -z "$left" ] || complain "left behind: $left"

exit "$failed"
