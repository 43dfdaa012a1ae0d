#!/bin/sh
# The recipe for roles of docs/MACHINES.md, for a user with CREATEDB only and for one who makes the role. Also without a
# named database, if none has the user's name.
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

# A user with CREATEROLE needs nothing else.
"$PROGRAM" run roles.yaml --no-save --examples 2 >out 2>err || complain "as a superuser"

psql -qX -c 'DROP ROLE authenticated' -c 'CREATE ROLE ci LOGIN CREATEDB'
block 'CREATE ROLE authenticated' | psql -qX --set ON_ERROR_STOP=1
"$PROGRAM" run roles.yaml --no-save --examples 2 -d postgres -U ci >out 2>err || complain "with CREATEDB only"

# libpq would connect to a database `ci`, which does not exist.
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

# If a role or an extension is missing, the message says what to do. told TEXT WORD...: the run
# can't continue, and prints TEXT.
told() {
    text=$1
    shift
    status=0
    "$PROGRAM" run "$@" --no-save >out 2>err || status=$?
    [ "$status" = 2 ] || complain "run $*: exit status $status"
    grep -qF -e "$text" err || complain "run $*: no '$text'"
}
cat >lacks.yaml <<'END'
machine: lacks
schema: lacks.sql
rules:
  add: {sql: SELECT 1}
END
while IFS='|' read -r sql hint; do
    echo "$sql" >lacks.sql
    told "  hint: $hint" lacks.yaml -d postgres -U ci
    told "  hint: $hint" lacks.yaml -d ci -U ci --in-place
done <<'END'
CREATE ROLE webuser;|connect as a user with CREATEROLE; or let an administrator create the role once
DO $$ BEGIN CREATE USER webuser; END $$;|connect as a user with CREATEROLE
CREATE EXTENSION file_fdw;|let an administrator create it once
CREATE TABLE x (n int); GRANT SELECT ON x TO webuser;|create the role first
CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION f();|Must be superuser to create an event trigger. An administrator can grant the right; or test on the embedded server
SET session_replication_role = replica;|an administrator can grant the right; or test on the embedded server
CREATE TABLE pg_toast.x (n int);|GRANT USAGE, CREATE ON SCHEMA … TO the connecting user; without --in-place
SET search_path = nowhere; CREATE TABLE x (n int);|the connecting user may create nothing in the schemas of search_path
CREATE EXTENSION pg_cron;|install it on the server; or leave it out, and list a file
END
echo 'CREATE SCHEMA own;' >lacks.sql
psql -qX -d postgres -c 'CREATE ROLE lowly LOGIN'
told "  hint: GRANT CREATE ON DATABASE … TO the connecting user" lacks.yaml -d postgres -U ci --in-place
told "ALTER ROLE lowly CREATEDB lets the user create one; --embedded starts a server of pgfsm's own" lacks.yaml -U lowly
# A superuser's session in the scratch database, which the user can't end, and which leaves when it is waited for.
cat >agent.sql <<'END_SQL'
DO $$
BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE query ~ '^DROP DATABASE[^(]*$' AND pid <> pg_backend_pid()) LOOP
        PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
    END LOOP;
END $$;
END_SQL
cat >lacks.sql <<'END_SQL'
\setenv PGDATABASE :DBNAME
\! PGUSER=postgres PGAPPNAME=agent psql -qX -f agent.sql >agent.out 2>&1 &
DO $$
BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'agent') LOOP
        PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
    END LOOP;
END $$;
END_SQL
"$PROGRAM" run lacks.yaml --no-save --examples 2 -d postgres -U ci >out 2>err || complain "beside a superuser's session"
if grep -q 'left behind' err; then
    complain "the scratch database stays"
fi

echo 'CREATE EXTENSION pg_stat_statements; SELECT * FROM pg_stat_statements;' >lacks.sql
told "  hint: name a server with -d that loads it when it starts" lacks.yaml -d postgres
cat >context.yaml <<'END'
machine: context
model: |
  actors = ["webuser"]
rules:
  add: {sql: SELECT 1, as: {role: webuser}}
END
told "  hint: create the role in a file of \`schema\`, or correct its name" context.yaml -d ci -U ci
sed 's/add: {/add: {args: {actor: actors}, /; s/role: webuser/role: ":actor"/' context.yaml >dynamic.yaml
told "  hint: create the role in a file of \`schema\`, or correct its name" dynamic.yaml -d ci -U ci
