#!/bin/sh
# Schemas of real projects: patterns in the order of their tool, files of migration tools, the plan of sqitch, the
# output of a command, a migrated database.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# machine NAME SCHEMA: it passes if the table t has the columns a, b, c.
machine() {
    mkdir -p "$(dirname "$1")"
    cat >"$1.yaml" <<END
machine: columns
schema: $2
rules:
  idle: {sql: SELECT 1}
invariants:
  columns:
    sql: SELECT attname::text FROM pg_attribute WHERE attrelid = to_regclass('t') AND attnum > 0 AND NOT attisdropped
    expect: '{"a", "b", "c"}'
END
}
quick='--examples 2 --steps 2 --no-save'

# A pattern: 2 before 10, with or without leading zeros; down migrations are omitted; a file that was already named is
# loaded only once.
mkdir -p 'app[1]/migrations/sub' 'app[1]/old'
cd 'app[1]' || exit 1
echo 'CREATE TABLE t (a int);' >migrations/1_first.sql
echo 'ALTER TABLE t ADD b int, ADD d int;' >migrations/2_second.up.sql
echo 'DROP TABLE t;' >migrations/2_second.down.sql
echo 'ALTER TABLE t RENAME d TO c;' >migrations/010_third.sql
echo 'DROP TABLE t;' >migrations/.4.sql
echo 'DROP TABLE t;' >migrations/4.sql~
mkdir migrations/5.sql
machine tests/all "'../migrations/*.sql'"
cd ..
# shellcheck disable=SC2086 # words
runs 0 run $quick 'app[1]/tests/all.yaml'
machine 'app[1]/once' "[migrations/1_first.sql, 'migrations/*.sql']"
# shellcheck disable=SC2086
runs 0 run $quick 'app[1]/once.yaml'
machine 'app[1]/none' "'migration/*.sql'"
runs 2 check 'app[1]/none.yaml'
err "none.yaml:2:9: error: no file matches migration/*.sql"
err "relative to the folder of the machine file"
machine 'app[1]/deep' "'**/*.sql'"
runs 2 check 'app[1]/deep.yaml'
err "name each level of folders"
machine 'app[1]/folder' "migrations/"
# shellcheck disable=SC2086 # words
runs 0 run $quick 'app[1]/folder.yaml'
machine 'app[1]/unknown' "migrations/sub/"
runs 2 check 'app[1]/unknown.yaml'
err "it is a folder"
err "write a pattern: migrations/sub/*.sql"
echo 'ALTER TABLE t RENAME x TO c;' >'app[1]/migrations/010_third.sql'
# shellcheck disable=SC2086
runs 2 run $quick 'app[1]/tests/all.yaml'
err 'app[1]/migrations/010_third.sql:1:1: error: column "x" does not exist'
err 'files of ../migrations/*.sql: in natural order: 2.sql comes before 10.sql'
echo 'ALTER TABLE t RENAME d TO;' >'app[1]/migrations/010_third.sql'
# shellcheck disable=SC2086
runs 2 run $quick 'app[1]/tests/all.yaml'
err_lacks 'in natural order'

# Tools that sort as text: a timestamp of 14 digits comes before a shorter one of a later day, and 10 before 2.
while read -r first second pattern mark; do
    rm -rf tool
    mkdir -p "tool/$(dirname "$first")" "tool/$(dirname "$second")"
    printf '%s\nCREATE TABLE t (a int, b int);\n' "$mark" >"tool/$first"
    printf '%s\nALTER TABLE t ADD c int;\n' "$mark" >"tool/$second"
    machine tool/tool "'$pattern'"
    # shellcheck disable=SC2086
    runs 0 run $quick tool/tool.yaml
    echo "$mark" >"tool/$first"
    # shellcheck disable=SC2086
    runs 2 run $quick tool/tool.yaml
    err "files of $pattern: sorted as text, as "
done <<'END'
prisma/20230601120000_b/migration.sql prisma/20240101_a/migration.sql prisma/*/migration.sql --
diesel/10_b/up.sql diesel/2_a/up.sql diesel/*/up.sql --
dashes/20170101100000_b/up.sql dashes/2017-01-02-100000_a/up.sql dashes/*/up.sql --
supabase/migrations/20230601120000_b.sql supabase/migrations/20240101_a.sql supabase/migrations/*.sql --
db/migrate/20230601120000_b.sql db/migrate/20240101_a.sql db/migrate/*.sql --
dbmate/20230601120000_b.sql dbmate/20240101_a.sql dbmate/*.sql -- migrate:up
END

# The way up of dbmate and goose, in one transaction unless the file says otherwise; places are those of the file.
mkdir dbmate goose
cat >dbmate/1.sql <<'END'
-- a comment
-- migrate:up
CREATE TABLE t (a int, gone int);
LOCK TABLE t;
-- migrate:down
DROP TABLE t;
END
cat >dbmate/2.sql <<'END'
-- migrate:up transaction:false
ALTER TABLE t DROP gone, ADD b int;
VACUUM t;

-- migrate:down
ALTER TABLE t DROP b;
END
cat >dbmate/3.sql <<'END'
-- migrate:up
ALTER TABLE t ADD c int;
COMMENT ON COLUMN t.c IS '
-- migrate:downs';
END
machine dbmate "'dbmate/*.sql'"
# shellcheck disable=SC2086
runs 0 run $quick dbmate.yaml
printf -- '-- +goose Up\r\n-- +goose StatementBegin\r\nSELECT 1\r\n-- +goose StatementEnd\r\n' >goose/00001_begin.sql
cat >>goose/00001_begin.sql <<'END'
CREATE TABLE t (a int, b int);
-- +goose StatementBegin
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RETURN 1; END;
$$
-- +goose StatementEnd
ALTER TABLE t ADD c int;

-- +goose Down
DROP TABLE t;
-- +goose StatementBegin
DROP FUNCTION f();
-- +goose StatementEnd
END
machine goose "goose/00001_begin.sql"
# shellcheck disable=SC2086
runs 0 run $quick goose.yaml
# More output than a pipe can buffer.
{
    echo '-- +goose Up'
    yes 'SELECT 1;' | head -n 2000
    echo 'ALTER TABLE t ADD c int;'
} >goose/00002_again.sql
machine goose_again "'goose/*.sql'"
for where in "" '-d postgres --in-place'; do
    # shellcheck disable=SC2086
    runs 2 run $quick $where goose_again.yaml
    err 'goose/00002_again.sql:2002:1: error: column "c" of relation "t" already exists'
    out_lacks "ok"
done
printf 'CREATE TABLE t ();\n-- migrate:up\nALTER TABLE t ADD a int;\n' >before.sql
machine before before.sql
# shellcheck disable=SC2086
runs 2 run $quick before.yaml
err "before.sql:1:1: error: this comes before the up part"

# Their replay script: pgfsm loads the up migrations, and the script tells other users which files
# to load.
cat >few.yaml <<'END'
machine: few
schema: dbmate/*.sql
rules:
  put: {sql: INSERT INTO t VALUES (1)}
invariants:
  none: {sql: SELECT a FROM t, expect: "[]"}
END
runs 1 run --seed 1 few.yaml
runs 1 replay counterexamples/few-none.sql
out "not ok 1"
holds counterexamples/few-none.sql "-- Load first: ../dbmate/2.sql"
holds counterexamples/few-none.sql "add later ones, as a migration"

# The plan of sqitch defines the order. Reworked changes have the name of a tag in their file names.
mkdir -p sqitch/deploy/more
cat >sqitch/sqitch.plan <<'END'
%syntax-version=1.0.0
%project=app

zz 2024-01-01T00:00:00Z Ann <ann@example.com> # a note
more/b [zz] 2024-01-02T00:00:00Z Ann <ann@example.com>
@v1 2024-01-03T00:00:00Z Ann <ann@example.com>
aa [more/b] 2024-01-04T00:00:00Z Ann <ann@example.com>
@v2 2024-01-03T00:00:00Z Ann <ann@example.com>

more/b [more/b@v2] 2024-01-05T00:00:00Z Ann <ann@example.com>
END
echo 'BEGIN; CREATE TABLE t (a int); COMMIT;' >sqitch/deploy/zz.sql
echo 'ALTER TABLE t ADD b int;' >sqitch/deploy/more/b@v2.sql
echo 'ALTER TABLE t DROP b; ALTER TABLE t ADD b text;' >sqitch/deploy/more/b.sql
echo 'ALTER TABLE t ADD c int;' >sqitch/deploy/aa.sql
machine sqitch sqitch/sqitch.plan
# shellcheck disable=SC2086
runs 0 run $quick sqitch.yaml
rm sqitch/deploy/aa.sql
runs 2 check sqitch.yaml
err "can't open sqitch/deploy/aa.sql"

# The output of a command replaces the machine's schema. Positions refer to a file that is kept.
machine plain dbmate/1.sql
# shellcheck disable=SC2086
runs 0 run $quick plain.yaml --schema-command 'echo "CREATE TABLE t (a int,"; echo "b int, c int);"'
runs 1 run --examples 2 plain.yaml -d postgres --schema-command 'echo "CREATE TABLE t (a int)"'
out "--schema-command 'echo "
runs 1 replay counterexamples/columns-columns.sql
out "not ok 1"
runs 2 run plain.yaml --schema-command 'echo; echo "CREATE TABEL t (a int)"'
err ".pgfsm/schema-"
err ':2:8: error: syntax error at or near "TABEL"'
# What a migration tool or psql would have replaced.
# shellcheck disable=SC2016 # not for the shell
for placeholder in '${app}' '{{app}}' '\"${app}\".t'; do
    runs 2 run plain.yaml --schema-command "echo 'CREATE TABLE'; echo \"$(echo "$placeholder" | sed 's/\$/\\$/') (a int)\""
    err "this is a placeholder, which a migration tool replaces"
done
for variable in ':app' ":\\\"app\\\""; do
    runs 2 run plain.yaml --schema-command "echo \"CREATE TABLE $variable (a int)\""
    err "psql has no such variable here"
done
runs 2 run plain.yaml --schema-command 'exit 7'
err "run: --schema-command ended with status 7: exit 7"
runs 2 check plain.yaml --schema-command true
err "check: --schema-command printed nothing: true"
runs 2 run plain.yaml --schema-command true --no-schema
err "exclude each other"

# A schema of a later version than the server's.
cat >dump.sql <<'END'
-- PostgreSQL database dump

-- Dumped from database version 99.1
CREATE NEW THING t;
END
machine dump dump.sql
for place in '' '--in-place -d postgres'; do
    # shellcheck disable=SC2086
    runs 2 run $quick $place dump.yaml
    err 'syntax error at or near "NEW"'
    err "this is a dump of PostgreSQL 99, and the server is PostgreSQL $SERVER_MAJOR: name a newer one"
done
while read -r since statement; do
    echo "$statement" >later.sql
    machine later later.sql
    # shellcheck disable=SC2086
    [ "$SERVER_MAJOR" -ge "$since" ] || {
        runs 2 run $quick later.yaml
        err "PostgreSQL $since and later accept this, and the server is PostgreSQL $SERVER_MAJOR: name a newer one"
    }
done <<'END'
15 CREATE TABLE t (a int, UNIQUE NULLS NOT DISTINCT (a));
15 CREATE VIEW v WITH (security_invoker) AS SELECT 1;
16 SELECT FROM (SELECT 1);
16 SELECT any_value(1);
17 SET transaction_timeout = 0;
18 SELECT uuidv7();
18 CREATE TABLE t (a int, b int GENERATED ALWAYS AS (a) VIRTUAL);
18 CREATE TABLE t (a int CHECK (a > 0) NOT ENFORCED);
18 CREATE TABLE t (a int4range, PRIMARY KEY (a WITHOUT OVERLAPS));
END

# A database that is migrated already.
psql -qX -c 'CREATE TABLE t (a int, b int, c int)'
machine migrated "'dbmate/*.sql'"
# shellcheck disable=SC2086
runs 2 run $quick --in-place plain.yaml
err 'error: relation "t" already exists'
err "--no-schema"
# shellcheck disable=SC2086
runs 0 run $quick --no-schema migrated.yaml
runs 0 check --no-schema migrated.yaml
left_nothing
finish
