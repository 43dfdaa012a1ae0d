#!/bin/sh
# An index that is built concurrently is interrupted, and its file run again, if that is meant to work: it says IF NOT
# EXISTS, or another statement comes first. What is invalid then is found.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
echo 'CREATE TABLE t (n integer);' >schema.sql

# machine MIGRATION
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
settings: {seed: 1, examples: 30, steps: 15}
migration: $1
rules:
  add: {sql: INSERT INTO t (n) SELECT count(*) FROM t}
END
}
# shellcheck disable=SC2016 # no expansions
echo 'CREATE UNIQUE INDEX CONCURRENTLY "Odd $name$ $do$ index" ON t (n);' >index.sql
# shellcheck disable=SC2016 # no expansions
{ echo 'DROP INDEX CONCURRENTLY IF EXISTS "Odd $name$ $do$ index";' && cat index.sql; } >dropped.sql
sed 's/CONCURRENTLY/& IF NOT EXISTS/' index.sql >passes.sql
for files in 'files: index.sql' 'files: dropped.sql, cut: statement'; do
    machine "{$files}"
    runs 0 run m.yaml --no-save -v
done
err 'migrate_2_interrupted()'
machine 'passes.sql'
runs 1 run m.yaml --no-save
out 'migrate_interrupted()'
out 'the index is invalid, and IF NOT EXISTS passed over it'
# What is shown is the user's statement, and not those that see what became of the index.
out '-> interrupted: the index is invalid'
# shellcheck disable=SC2016 # no expansions
out '     CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Odd $name$ $do$ index" ON t (n)'
out_lacks 'pg_catalog'
out_lacks 'PL/pgSQL function'
# An index of that name on another table is another one.
echo 'CREATE SCHEMA a; CREATE TABLE t (n integer); CREATE TABLE a.t (n integer);' >schema.sql
for schema in public a; do
    echo "DROP INDEX CONCURRENTLY IF EXISTS $schema.again;"
    echo "CREATE INDEX CONCURRENTLY IF NOT EXISTS again ON ONLY $schema . t USING btree (n);"
done >two.sql
machine '{files: two.sql, cut: statement}'
runs 0 run m.yaml --no-save -v
err 'migrate_4_interrupted()'
# The server cuts a long name.
echo "CREATE INDEX CONCURRENTLY IF NOT EXISTS $(printf 'i%.0s' $(seq 70)) ON t (n);" >long.sql
machine long.sql
runs 1 run m.yaml --no-save
out 'the index is invalid, and IF NOT EXISTS passed over it'
left_nothing
finish
