#!/bin/sh
# Without a machine, `pgfsm diff` sends what either schema refuses: a constraint that is gone, or looser, shows. Values that
# only the new schema names are drawn, too. A migration that changes rows alone runs on rows.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >old.sql <<'END_SQL'
CREATE TYPE mood AS ENUM ('calm');
CREATE TABLE parents (id text PRIMARY KEY);
CREATE TABLE items (
    id serial PRIMARY KEY, kind text CHECK (kind IN ('book')), mood mood, parent text REFERENCES parents,
    short varchar(50), price numeric(6, 2), code uuid UNIQUE, one int, two int, UNIQUE (one, two)
);
END_SQL

# finds NAME SQL: the change is a difference
finds() {
    { cat old.sql && echo "$2"; } >new.sql
    "$PROGRAM" diff --schema old.sql --new-schema new.sql --seed 1 --examples 300 --max-failures 1 >out 2>err ||
        [ $? = 1 ] || complain "$1: an error"
    grep -q '^DIFFERS' out || complain "$1"
}

finds 'a longer list' "ALTER TABLE items DROP CONSTRAINT items_kind_check, ADD CHECK (kind IN ('book', 'zebra'))"
finds 'a label' "ALTER TYPE mood ADD VALUE 'giddy'"
finds 'no foreign key' 'ALTER TABLE items DROP CONSTRAINT items_parent_fkey'
finds 'a longer text' 'ALTER TABLE items ALTER short TYPE varchar(51)'
finds 'more digits' 'ALTER TABLE items ALTER price TYPE numeric(7, 2)'
finds 'no unique uuid' 'ALTER TABLE items DROP CONSTRAINT items_code_key'
finds 'no unique pair' 'ALTER TABLE items DROP CONSTRAINT items_one_two_key'
finds 'a number of its own' 'ALTER TABLE items ALTER id DROP DEFAULT, ALTER id ADD GENERATED ALWAYS AS IDENTITY'

echo 'UPDATE ONLY public."items" SET one = one; DELETE FROM parents WHERE false' >0001.sql
runs 0 diff --schema old.sql --apply 0001.sql --seed 1 --examples 6
grep -q 'in [1-9][0-9]* of them with rows in' out || complain 'the migration of rows did not run on rows'

# The catalogs are as before once it is undone. Requests go to its table all the same, among others.
for i in $(seq 30); do echo "CREATE TABLE other_$i (id int PRIMARY KEY, n int);"; done >many.sql
echo 'CREATE SCHEMA app; CREATE TABLE app.here (id int PRIMARY KEY, n int);' >>many.sql
echo 'ALTER TABLE IF EXISTS ONLY app."here" DROP n;' >up.sql
echo 'ALTER TABLE app.here ADD n int;' >down.sql
runs 1 diff --schema many.sql --apply up.sql --down down.sql --seed 1 --examples 4 --no-save
out ' n 0 before, None after'
