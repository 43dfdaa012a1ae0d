#!/bin/sh
# `pgfsm diff`: both sides as the options name them, and refused arguments.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

mkdir db
echo 'CREATE TABLE t (id int PRIMARY KEY);' >db/1.sql
echo 'ALTER TABLE t ADD n int;' >db/2.sql
cat >whole.sql <<'END_SQL'
CREATE TABLE t (id int PRIMARY KEY);
ALTER TABLE t ADD n int;
END_SQL
printf 'SELECT 1;\n' >up.sql
cat >app.yaml <<'END_YAML'
machine: app
schema: db/*.sql
rules:
  add: {args: {n: "integers(1, 3)"}, sql: "INSERT INTO t VALUES (:n, :n)", raises: "[None, unique_violation]"}
END_YAML
sed '/schema/d' app.yaml >bare.yaml
quick='--examples 2 --steps 5 --seed 1'

# What comes before and what comes after.
runs 2 diff
err "diff: only one side is given; name the other one with --new-schema, --apply, --base, --new-dbname or --new-pg-bindir"
runs 2 diff app.yaml
err "diff: only one side is given"
runs 2 diff --new-schema whole.sql
err "diff: no schema given; write --schema FILE, or name machines"
runs 2 diff --base main
err "diff: no schema given"
runs 2 diff -d app --apply up.sql
err "diff: no schema given"

# What does not go together.
refuses() { # TEXT WORD...
    text=$1
    shift
    runs 2 diff "$@"
    err "diff: $text"
}
refuses "--schema and --schema-command exclude" --schema whole.sql --schema-command 'cat db/*' --apply up.sql
refuses "--new-schema and --new-schema-command exclude" --schema whole.sql --new-schema whole.sql \
    --new-schema-command 'cat db/*'
refuses "--no-schema excludes" app.yaml --no-schema --new-schema whole.sql
refuses "--base compares with the schema files of today" app.yaml --base main --new-schema whole.sql
refuses "--base reads schema files from git" app.yaml --base main --schema-command 'cat db/*'
refuses "--new-dbname and --new-pg-bindir exclude" app.yaml -d app --new-dbname new --new-pg-bindir /
refuses "--new-dbname names a second server; name the first one with -d" app.yaml --new-dbname new
refuses "--new-pg-bindir is for two embedded servers; add --embedded" app.yaml -d app --new-pg-bindir /
refuses "--down undoes a migration; name that with --apply" --schema whole.sql --new-schema whole.sql --down up.sql
refuses "--last-failed reads .pgfsm/, which --no-save ignores" app.yaml --apply up.sql --last-failed --no-save
refuses "--embedded and -d exclude" app.yaml --apply up.sql --embedded -d app

# Files of SQL are no machines.
refuses "whole.sql is SQL, not a machine; to compare two schemas, write --schema OLD.sql --new-schema NEW.sql" \
    whole.sql up.sql
refuses "whole.sql is SQL, not a machine" whole.sql --apply up.sql

# What another command has, and this one can't have.
refuses "this command has no option --sessions: each side" app.yaml --apply up.sql --sessions 2
refuses "this command has no option --in-place: two schemas" app.yaml --apply up.sql --in-place
refuses "this command has no option --prove: " app.yaml --apply up.sql --prove 3
refuses "this command has no option --min-score" app.yaml --apply up.sql --min-score 3

# Files that can't be read: each is named.
mkdir plain
echo "SELECT 1;" >plain/x.sql # not in an order that pgfsm knows
runs 2 diff --schema missing.sql --new-schema plain --apply 'no/*.sql'
err "pgfsm: --schema: can't open missing.sql: No such file or directory"
err "pgfsm: --new-schema: plain is a folder; to load the files in it, write a pattern: 'plain/*.sql'"
err "--apply:3:10: error: no file matches no/*.sql"
cp plain/x.sql plain/1.up.sql
runs 2 diff --schema plain --new-schema whole.sql
err "to load the files in it, write a pattern: 'plain/*.up.sql'"
left_nothing

# Files behind the migration load before it, which may be why they fail.
mkdir order
echo 'CREATE TABLE t (id int);' >order/1.sql
echo 'ALTER TABLE t ADD n int;' >order/2.sql
echo 'ALTER TABLE t DROP n;' >order/2.down.sql
echo 'CREATE INDEX ON t (n);' >order/3.sql
# shellcheck disable=SC2086 # words
runs 2 diff $quick --schema 'order/*.sql' --apply order/2.sql --down order/2.down.sql --no-save
err 'order/3.sql:1:1: error: column "n" does not exist'
err "diff: order/3.sql stands behind the migration's files, but loads before them"
rm order/2.down.sql
runs 2 locks --schema 'order/*.sql' --migrate order/2.sql
err "locks: order/3.sql stands behind the migration's files, but loads before them"
left_nothing

# Without a machine, one is made, and kept beside the failures. A pattern names it after its folder.
# shellcheck disable=SC2086 # words
runs 0 diff $quick --schema 'db/*.sql' --new-schema whole.sql
[ -f .pgfsm/diff/db.yaml ] || complain "$said: no machine: $(find .pgfsm)"
# shellcheck disable=SC2086
runs 0 diff $quick --schema whole.sql --apply up.sql
[ -f .pgfsm/diff/whole.yaml ] || complain "$said: no machine: $(find .pgfsm)"
left_nothing
rm -r .pgfsm
# shellcheck disable=SC2086
runs 0 diff $quick --schema whole.sql --new-schema 'db/*.sql' --no-save
[ ! -e .pgfsm ] || complain "$said: left $(find .pgfsm)"

# A migration that the pattern of the schema matches, too, is none of its files.
# shellcheck disable=SC2086
runs 0 diff $quick --schema 'db/*.sql' --apply ./db/2.sql
grep -q '"../../db/1.sql"\]' .pgfsm/diff/db.yaml || complain "$said: $(cat .pgfsm/diff/db.yaml)"
echo 'ALTER TABLE t DROP n;' >db/2.down.sql
# shellcheck disable=SC2086
runs 0 diff $quick --schema 'db/*.sql' --apply db/2.sql --down db/2.down.sql --no-save
sed 's/, :n)/)/' app.yaml >one.yaml
# shellcheck disable=SC2086
runs 0 diff $quick one.yaml --apply db/2.sql --down db/2.down.sql --no-save
refuses "--schema names nothing but files of the migration" --schema db/2.sql --apply 'db/2.sql'
rm -r db/2.down.sql .pgfsm
left_nothing

# A migration that needs a transaction of its own never runs between two steps, and the run says so.
cat >mood.sql <<'END_SQL'
CREATE TYPE mood AS ENUM ('sad');
CREATE TABLE people (id int PRIMARY KEY, mood mood);
END_SQL
echo "ALTER TYPE mood ADD VALUE 'glad';" >glad.sql
runs 0 diff --examples 10 --steps 5 --seed 1 --schema mood.sql --apply glad.sql --no-save
out "glad.sql:1:1: ALTER TYPE … ADD VALUE can't run in the transaction"
left_nothing

# What commands print.
# shellcheck disable=SC2086
runs 0 diff $quick app.yaml --schema-command 'cat whole.sql' --new-schema-command 'cat db/*.sql' --no-save
left_nothing
runs 2 diff app.yaml --new-schema-command 'exit 7'
err "diff: --new-schema-command ended with status 7: exit 7"
runs 2 diff app.yaml --new-schema-command true --no-schema
err "diff: --new-schema-command and --no-schema exclude each other"

# With a machine.
# shellcheck disable=SC2086
runs 0 diff $quick app.yaml bare.yaml --schema whole.sql --new-schema 'db/*.sql'
# shellcheck disable=SC2086
runs 0 diff $quick app.yaml --apply up.sql
runs 2 diff missing.yaml --apply up.sql
runs 3 diff app.yaml --new-schema whole.sql --new-pg-bindir /nowhere
err /nowhere
left_nothing
finish
