#!/bin/sh
# The folders of migration tools: what pgfsm loads from one is what the tool itself makes of an empty database, and
# `pgfsm init` finds it. Each project has files whose order decides what comes of them: 10 and 2, subfolders, files that
# go back, files that the tool passes over. Tools from npm are installed once, in build/npm/layouts; a tool that is not
# available is named and left out. With arguments, only these tools are tried.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/server.sh"
. "$here/../cli/common.sh"
tools=$here/../../build/npm/layouts
chosen=" $* "
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
unset DATABASE_URL
export npm_config_update_notifier=false CI=1 PRISMA_HIDE_UPDATE_MESSAGE=1 CHECKPOINT_DISABLE=1

install_tools() {
    command -v npm >/dev/null && command -v node >/dev/null || return 1
    mkdir -p "$tools" && tools=$(cd "$tools" && pwd) || return 1
    cat >"$tools/package.json.new" <<'END'
{"private": true, "dependencies": {
    "dbmate": "2.36.0", "drizzle-kit": "0.31.11", "drizzle-orm": "0.45.4", "pg": "8.23.1",
    "node-pg-migrate": "9.0.0", "graphile-migrate": "1.4.1", "postgrator": "8.0.0", "postgrator-cli": "9.1.1",
    "db-migrate": "0.11.14", "db-migrate-pg": "1.5.2"}}
END
    cmp -s "$tools/package.json" "$tools/package.json.new" && [ -e "$tools/done" ] && return
    mv "$tools/package.json.new" "$tools/package.json"
    (cd "$tools" && npm install --ignore-scripts --no-audit --no-fund --fetch-retries=0) >"$tools/log" 2>&1 &&
        : >"$tools/done"
}
install_tools || echo "SKIPPED: the tools from npm can't be installed"

# file PATH [LINE...]: writes a file of the project.
file() {
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$@" | sed 1d >"$1"
}

# The catalog of a database, without the tables in which tools keep what they have done.
catalog() {
    psql -qXAt -d "$1" -v ON_ERROR_STOP=1 -c "
        DROP SCHEMA IF EXISTS drizzle, graphile_migrate, sqitch CASCADE;
        DROP TABLE IF EXISTS schema_migrations, schema_migration, pgmigrations, migrations, schemaversion, gorp_migrations,
            _prisma_migrations, django_migrations, alembic_version, goose_db_version;
        DO 'DECLARE t regclass; BEGIN
            FOR t IN SELECT oid FROM pg_class WHERE reloptions @> ''{autovacuum_enabled=off}'' LOOP -- pgfsm sets it
                EXECUTE format(''ALTER TABLE %s RESET (autovacuum_enabled)'', t);
            END LOOP; END'" >/dev/null 2>&1
    pg_dump --schema-only --no-owner "$1" | sed '/^--/d; /^$/d; /^\\/d; /^SET /d; /^SELECT pg_catalog.set_config/d'
}

number=0
# project NAME: begins one, if it was chosen.
project() {
    name=$1
    case $chosen in *"  "* | *" $name "*) ;; *) return 1 ;; esac
    cd "$DIR" || exit 1
    rm -rf project
    mkdir project
    cd project || exit 1
    number=$((number + 1))
    database=tool_$number
    psql -qX -d postgres -c "CREATE DATABASE $database"
    url="postgres://postgres@localhost:$PGPORT/$database?host=$SERVER_SOCKET"
}

# compare TOOL COMMAND...: runs the tool, and then pgfsm, which is to name it so.
compare() {
    tool=$1
    shift
    migrates "$@" && compare_loaded "$tool"
}

# migrates COMMAND...: what the tool makes of its migrations is ../wanted.
migrates() {
    "$@" >tool.log 2>&1 || {
        complain "$name: $* failed: $(tail -n 12 tool.log)"
        return 1
    }
    catalog "$database" >../wanted
    [ -s ../wanted ] || complain "$name: $* has made nothing"
}

# compare_loaded TOOL: what `pgfsm init` finds is ../wanted.
compare_loaded() {
    runs 0 init --embedded --free -o ../found.yaml
    err "found $1 in " # "found Prisma in prisma/migrations, 3 files, …"
    schema=$(sed -n 's/^schema: \["\(.*\)"\]$/\1/p' ../found.yaml)
    rm -f ../found.yaml
    loads "$schema"
}

# loads SCHEMA: a machine with it has the catalog ../wanted.
loads() {
    printf 'machine: loaded\nschema: "%s"\nrules: {none: {sql: SELECT 1}}\n' "$1" >../loaded.yaml
    runs 0 run ../loaded.yaml --keep --examples 1 --steps 1 --no-save
    kept=$(psql -qXAt -d postgres -c "SELECT datname FROM pg_database WHERE datname LIKE 'pgfsm\_kept%'")
    catalog "$kept" >../loaded
    cmp -s ../wanted ../loaded || complain "$name: not the same: $(diff ../wanted ../loaded | head -n 20)"
    psql -qX -d postgres -c "DROP DATABASE $kept"
    [ "$checks_failed" != 0 ] || echo "$name: the same, $(wc -l <../wanted) lines"
}

# compare_code TOOL COMMAND...: runs the tool, and then the command that pgfsm proposes, which prints SQL.
compare_code() {
    tool=$1
    shift
    migrates "$@" || return
    runs 2 init --embedded
    err "found $tool in ., whose migrations are code"
    proposed=$(sed -n 's/^pgfsm: init:   \(.*\) >schema.sql$/\1/p' err)
    psql -qX -d postgres -c "DROP DATABASE $database" -c "CREATE DATABASE $database"
    (eval "$proposed") >schema.sql 2>tool.log || complain "$name: $proposed: $(tail -n 12 tool.log)"
    loads project/schema.sql
}
bin() { # WORD...: runs a tool from npm
    PATH=$tools/node_modules/.bin:$PATH "$@"
}
has() { [ -x "$tools/node_modules/.bin/$1" ] || { command -v "$1" >/dev/null 2>&1; }; }

if has dbmate && project dbmate; then
    file db/migrations/20240101120000_first.sql '-- migrate:up' 'CREATE TABLE t (a int);' '-- migrate:down' 'DROP TABLE t;'
    file db/migrations/20240102_second.sql '-- migrate:up' 'ALTER TABLE t ADD b int;' '-- migrate:down' \
        'ALTER TABLE t DROP b;'
    file db/migrations/3.sql '-- migrate:up transaction:false' 'CREATE INDEX CONCURRENTLY i ON t (a);' '-- migrate:down'
    file db/migrations/notes.sql 'CREATE TABLE notes ();'
    compare dbmate bin dbmate --url "postgres:///$database?host=$SERVER_SOCKET&user=postgres&sslmode=disable" --no-dump-schema up
fi

if has drizzle-kit && project drizzle; then
    ln -s "$tools/node_modules" node_modules
    file drizzle.config.js "module.exports = {dialect: 'postgresql', schema: './schema.js', out: './migrations'," \
        "  dbCredentials: {host: '$SERVER_SOCKET', port: $PGPORT, user: 'postgres', database: '$database', ssl: false}};"
    file schema.js "const {pgTable, serial, text} = require('drizzle-orm/pg-core');" \
        "exports.users = pgTable('users', {id: serial('id').primaryKey(), name: text('name').notNull()});"
    bin drizzle-kit generate --name first >log 2>&1 || complain "drizzle-kit generate: $(cat log)"
    file schema.js "const {pgTable, serial, text, integer} = require('drizzle-orm/pg-core');" \
        "exports.users = pgTable('users', {id: serial('id').primaryKey(), name: text('name').notNull(), age: integer('age')});" \
        "exports.pets = pgTable('pets', {id: serial('id').primaryKey(), owner: integer('owner').references(() => exports.users.id)});"
    bin drizzle-kit generate --name second >log 2>&1 || complain "drizzle-kit generate: $(cat log)"
    echo 'CREATE TABLE forgotten ();' >migrations/0000_forgotten.sql
    compare Drizzle bin drizzle-kit migrate
fi

if has node-pg-migrate && project node-pg-migrate; then
    file migrations/10_second.sql '-- Up Migration' 'ALTER TABLE t ADD b int;' '-- Down Migration' 'ALTER TABLE t DROP b;'
    file migrations/2_first.sql '---- Up Migration ----' 'CREATE TABLE t (a int);' '--  down migration' 'DROP TABLE t;'
    file migrations/11_third.sql 'CREATE VIEW v AS SELECT a, b FROM t;'
    compare node-pg-migrate env PGHOST="$SERVER_SOCKET" PGDATABASE="$database" "$tools/node_modules/.bin/node-pg-migrate" up
fi

if has postgrator && project postgrator; then
    file migrations/10.do.second.sql 'ALTER TABLE t ADD b int;'
    file migrations/10.undo.second.sql 'ALTER TABLE t DROP b;'
    file migrations/2.do.sql 'CREATE TABLE t (a int);'
    file migrations/2.undo.sql 'DROP TABLE t;'
    file .postgratorrc.json "{\"migrationPattern\": \"migrations/*\", \"driver\": \"pg\", \"host\": \"$SERVER_SOCKET\"," \
        "\"database\": \"$database\", \"username\": \"postgres\", \"password\": \"x\", \"ssl\": false}"
    compare postgrator bin postgrator
fi

if has db-migrate && project db-migrate; then
    for i in 20240101120000-first 20240102120000-second; do
        file "migrations/$i.js" "'use strict'; const fs = require('fs'), path = require('path');" \
            "const run = (db, way) => db.runSql(fs.readFileSync(path.join(__dirname, 'sqls', '$i-' + way + '.sql'), 'utf8'));" \
            "exports.setup = () => {}; exports.up = db => run(db, 'up'); exports.down = db => run(db, 'down');" \
            "exports._meta = {version: 1};"
    done
    file migrations/sqls/20240101120000-first-up.sql 'CREATE TABLE t (a int);'
    file migrations/sqls/20240101120000-first-down.sql 'DROP TABLE t;'
    file migrations/sqls/20240102120000-second-up.sql 'ALTER TABLE t ADD b int;'
    file migrations/sqls/20240102120000-second-down.sql 'ALTER TABLE t DROP b;'
    file database.json "{\"dev\": {\"driver\": \"pg\", \"host\": \"$SERVER_SOCKET\", \"database\": \"$database\", \"user\": \"postgres\"}}"
    ln -s "$tools/node_modules" node_modules
    compare db-migrate bin db-migrate up
fi

if has graphile-migrate && project graphile-migrate; then
    psql -qX -d postgres -c "CREATE DATABASE shadow_$number"
    export DATABASE_URL="$url" SHADOW_DATABASE_URL ROOT_DATABASE_URL="postgres://postgres@localhost:$PGPORT/postgres?host=$SERVER_SOCKET"
    SHADOW_DATABASE_URL="postgres://postgres@localhost:$PGPORT/shadow_$number?host=$SERVER_SOCKET"
    bin graphile-migrate init >log 2>&1
    for sql in 'CREATE TABLE t (a int);' 'ALTER TABLE t ADD b int;' 'ALTER TABLE t ADD c int;'; do
        echo "$sql" >migrations/current.sql
        bin graphile-migrate commit >>log 2>&1 || complain "graphile-migrate commit: $(tail -n 12 log)"
    done
    psql -qX -d postgres -c "DROP DATABASE $database" -c "CREATE DATABASE $database"
    echo 'CREATE TABLE not_yet ();' >migrations/current.sql
    compare graphile-migrate bin graphile-migrate migrate
    unset DATABASE_URL SHADOW_DATABASE_URL ROOT_DATABASE_URL
fi

if command -v sqitch >/dev/null && project sqitch; then
    {
        export SQITCH_FULLNAME=x SQITCH_EMAIL=x@example.com
        sqitch init flipr --engine pg --top-dir db
        sqitch add users -n x
        sqitch add pets --requires users -n x
    } >log 2>&1 || complain "sqitch: $(cat log)"
    file db/deploy/users.sql 'BEGIN;' 'CREATE TABLE users (id int PRIMARY KEY);' 'CREATE FUNCTION one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;' 'COMMIT;'
    file db/deploy/pets.sql 'BEGIN;' 'CREATE TABLE pets (owner int REFERENCES users);' 'COMMIT;'
    {
        sqitch tag v1 -n x
        sqitch rework users -n x
    } >log 2>&1 || complain "sqitch: $(cat log)"
    file db/deploy/users.sql 'BEGIN;' 'ALTER TABLE users ADD name text;' 'COMMIT;'
    echo 'CREATE TABLE forgotten ();' >db/deploy/forgotten.sql
    compare sqitch sqitch deploy "db:pg://postgres@/$database"
fi

if command -v sql-migrate >/dev/null && project sql-migrate; then
    file db/10_second.sql '-- +migrate Up' 'ALTER TABLE t ADD b int;' '-- +migrate Down' 'ALTER TABLE t DROP b;'
    file db/2_first.sql '-- +migrate Up' 'CREATE TABLE t (a int);' '-- +migrate StatementBegin' \
        'CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;' '-- +migrate StatementEnd' \
        '-- +migrate Down' 'DROP TABLE t;'
    file db/11_index.sql '-- +migrate Up notransaction' 'CREATE INDEX CONCURRENTLY i ON t (a);' '-- +migrate Down' 'DROP INDEX i;'
    file dbconfig.yml development: '  dialect: postgres' "  datasource: host=$SERVER_SOCKET port=$PGPORT user=postgres dbname=$database sslmode=disable" '  dir: db'
    compare sql-migrate sql-migrate up
fi

PATH=/usr/bin:$PATH # the python3 that has Debian's packages
if python3 -c 'import django, psycopg2' 2>/dev/null && project django; then
    file manage.py 'import os, sys' 'from django.core.management import execute_from_command_line' \
        'os.environ["DJANGO_SETTINGS_MODULE"] = "settings"' 'execute_from_command_line(sys.argv)'
    file settings.py 'SECRET_KEY = "x"' 'INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "shop"]' \
        'DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"' 'USE_TZ = True' \
        "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': '$database', 'USER': 'postgres', 'HOST': '$SERVER_SOCKET', 'PORT': '$PGPORT'}}"
    file shop/__init__.py
    file shop/models.py 'from django.conf import settings' 'from django.db import models' 'class Order(models.Model):' \
        '    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)' '    total = models.DecimalField(max_digits=9, decimal_places=2)' \
        '    class Meta:' '        constraints = [models.CheckConstraint(check=models.Q(total__gte=0), name="total_positive")]'
    python3 manage.py makemigrations shop >log 2>&1 || complain "makemigrations: $(cat log)"
    echo '    note = models.CharField(max_length=20, default="")' | sed -i '/decimal_places/r /dev/stdin' shop/models.py
    python3 manage.py makemigrations shop >log 2>&1 || complain "makemigrations: $(cat log)"
    compare_code Django python3 manage.py migrate
fi

if command -v alembic >/dev/null && project alembic; then
    alembic init migrations >log 2>&1 || complain "alembic init: $(cat log)"
    sed -i "s|^sqlalchemy.url = .*|sqlalchemy.url = postgresql://postgres@/$database?host=$SERVER_SOCKET|" alembic.ini
    alembic revision -m first >log 2>&1 || complain "alembic revision: $(cat log)"
    sed -i 's/^    pass$/    op.create_table("t", sa.Column("a", sa.Integer, primary_key=True))/; /^def downgrade/,$s/^    op.*/    op.drop_table("t")/' migrations/versions/*_first.py
    alembic revision -m second >log 2>&1 || complain "alembic revision: $(cat log)"
    sed -i 's/^    pass$/    op.add_column("t", sa.Column("b", sa.Text))/; /^def downgrade/,$s/^    op.*/    op.drop_column("t", "b")/' migrations/versions/*_second.py
    compare_code Alembic alembic upgrade head
fi

finish
