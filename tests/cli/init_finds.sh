#!/bin/sh
# shellcheck disable=SC2016 # backticks that the program prints
# `pgfsm init` without a schema: it says which migrations it has found, takes them if it is clear which, and otherwise
# says what to type. tests/unit/layout has the table of tools.
set -u
. "$(dirname "$0")/common.sh"
no_database
common_begin
trap common_end EXIT

file() { # PATH LINE...
    mkdir -p "$(dirname "$1")"
    printf '%s\n' "$@" | sed 1d >"$1"
}
begins() { # a new project
    cd "$DIR" || exit 1
    rm -rf project
    mkdir project
    cd project || exit 1
}

# One tool is clear: a dump that it keeps is none of its migrations, and neither are those of examples.
begins
file db/migrations/2_b.sql '-- migrate:up' 'ALTER TABLE t ADD b int;' '-- migrate:down' 'ALTER TABLE t DROP b;'
file db/migrations/10_a.sql '-- migrate:up' 'CREATE TABLE t (a int PRIMARY KEY);' '-- migrate:down' 'DROP TABLE t;'
file db/schema.sql 'CREATE TABLE dumped (id int PRIMARY KEY);'
file examples/x/migrations/1.sql 'CREATE TABLE example (id int PRIMARY KEY);'
file node_modules/x/prisma/migrations/1/migration.sql x
runs 0 init
[ ! -s out ] || complain "$said prints to standard output"
err 'init: found dbmate in db/migrations, 2 files, in the order of `dbmate up`'
err 'init: left out db/schema.sql'
err 'init: left out numbered files in examples/x/migrations, 1 file'
err_lacks node_modules
err 'init: wrote first.yaml; run it: '
grep -qF 'schema: ["db/migrations"]' first.yaml || complain "$said: $(grep schema: first.yaml)"
runs 0 run first.yaml --no-save --seed 1 --examples 2
runs 2 init
err 'first.yaml exists already'
mkdir machines
runs 0 init db -o machines/db.yaml --free
grep -qF 'schema: ["../db/migrations"]' machines/db.yaml || complain "$said: $(grep schema: machines/db.yaml)"
runs 0 init --schema db/migrations --free
out 'schema: ["db/migrations"]'
runs 0 diff --schema db/migrations --apply db/migrations/2_b.sql --seed 1 --examples 3 --no-save

# Of Supabase, the stand-in and the roles come first; what users have added to the stand-in stays. The machine
# describes what migrations create, and what that refers to.
begins
file supabase/migrations/1_a.sql 'CREATE TABLE notes (id int PRIMARY KEY, owner uuid REFERENCES auth.users);' \
    'ALTER TABLE notes ENABLE ROW LEVEL SECURITY;' \
    'CREATE POLICY own ON notes TO authenticated USING (owner = (SELECT auth.uid()));' \
    'GRANT SELECT ON notes TO pgfsm_finds;'
file supabase/roles.sql 'DO $$ BEGIN CREATE ROLE pgfsm_finds; EXCEPTION WHEN duplicate_object THEN NULL; END $$;'
file supabase/seed.sql 'INSERT INTO notes VALUES (1);'
runs 0 init --table notes
err 'init: found Supabase in supabase/migrations, 1 file, in the order of `supabase db reset`'
err 'init: wrote supabase.sql, which stands in for what Supabase provides'
err 'init: left out supabase/seed.sql; to begin with its rows, name it last in `schema`'
grep -qF 'schema: ["supabase.sql", "supabase/roles.sql", "supabase/migrations"]' first.yaml ||
    complain "$said: $(grep schema: first.yaml)"
grep -q 'auth.users:' first.yaml || complain "$said: does not describe auth.users, which notes refers to"
! grep -q 'storage' first.yaml || complain "$said: describes the stand-in: $(grep storage first.yaml)"
echo '-- mine' >>supabase.sql
rm first.yaml
runs 0 init --free
err 'init: takes supabase.sql'
tail -n 1 supabase.sql | grep -q mine || complain "$said: the stand-in was overwritten"
! grep -qE 'storage|call_.*auth' first.yaml || complain "$said: describes the stand-in: $(grep -E 'storage|call_' first.yaml)"

# Several are not: each gets its line. Nothing is written.
file prisma/migrations/1_a/migration.sql 'CREATE TABLE t (id int PRIMARY KEY);'
rm first.yaml
runs 2 init
err 'init: found 2 schemas; choose one of them:'
err ' init prisma/migrations   # Prisma in prisma/migrations, 1 file'
err ' init supabase/migrations   # Supabase in supabase/migrations, 1 file'
[ ! -e first.yaml ] || complain "$said wrote a machine"
runs 0 init prisma/migrations --free
grep -qF 'schema: ["prisma/migrations"]' first.yaml || complain "$said: $(grep schema: first.yaml)"

# Code is not run, but its line proposed.
begins
file alembic.ini '[alembic]'
runs 2 init
err 'init: found Alembic in ., whose migrations are code; write their SQL to a file:'
err 'alembic upgrade head --sql >schema.sql'
err ' init --schema schema.sql -o first.yaml'

# Of other databases, or nothing.
begins
file migrations/1.sql 'CREATE TABLE t (id int AUTO_INCREMENT);'
runs 2 init
err 'init: no schema for PostgreSQL found here, but numbered files in migrations, 1 file, for MySQL'
begins
runs 2 init
err 'init: no schema given, and no migrations found here; write --schema FILE, or name a database with -d'
runs 2 init missing
err 'init takes no files; to read a schema, write --schema missing'
mkdir a b
runs 2 init a b
err 'init looks through one folder'
runs 2 init --schema x.sql a
err 'leave out a'
finish
