#!/bin/sh
# The recipe for roles of docs/MACHINES.md, for a user with CREATEDB only and for one who makes the role.
# Also: where no database is named and none has the user's name.
set -eu

docs=$(cd "$(dirname "$0")/../.." && pwd)/docs/MACHINES.md
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"

complain() {
    echo "roles.sh: $*"
    cat out err
    exit 1
}

# The SQL block of the docs that begins with $1.
block() {
    awk -v first="$1" '/^```/ { inside = 0 } inside || (fence && index($0, first) == 1) { inside = 1; print }
        { fence = ($0 == "```sql") }' "$docs"
}
{
    block 'DO $$ BEGIN'
    echo 'CREATE TABLE notes (n int);'
    echo 'GRANT SELECT, INSERT ON notes TO authenticated;'
} >roles.sql
grep -q 'CREATE ROLE authenticated' roles.sql
cat >roles.yaml <<'END'
machine: roles
schema: roles.sql
as: {role: authenticated}
rules:
  add: {sql: INSERT INTO notes VALUES (1)}
END

# Who may make roles needs nothing else.
"$PROGRAM" run roles.yaml --no-save --examples 2 >out 2>err || complain "as a superuser"

psql -qX -c 'DROP ROLE authenticated' -c 'CREATE ROLE ci LOGIN CREATEDB'
block 'CREATE ROLE authenticated' | psql -qX --set ON_ERROR_STOP=1
"$PROGRAM" run roles.yaml --no-save --examples 2 -d postgres -U ci >out 2>err || complain "with CREATEDB only"

# libpq would connect to a database `ci`, which nobody made.
unset PGDATABASE
"$PROGRAM" run roles.yaml --no-save --examples 2 -U ci >out 2>err || complain "without a database"
grep -qF 'no database was named, and user ci has none of that name: connected to the database postgres' err ||
    complain "nothing said of the database"
"$PROGRAM" run roles.yaml --no-save --examples 2 -d "user=ci host=$PGHOST" >out 2>err ||
    complain "without a database in a connection string"
if PGDATABASE=nosuch "$PROGRAM" run roles.yaml --no-save -U ci >out 2>err ||
    "$PROGRAM" run roles.yaml --no-save -U ci -d ci >out 2>err; then
    complain "a database that was named is missed"
fi
grep -q 'database "ci" does not exist' err || complain "the missing database is not named"
psql -qX -d postgres -c 'CREATE DATABASE ci OWNER ci'
"$PROGRAM" run roles.yaml --no-save --examples 2 -U ci >out 2>err || complain "with a database of the user's name"
if grep -q 'no database was named' err; then
    complain "the database of the user's name was not taken"
fi
