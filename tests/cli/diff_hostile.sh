#!/bin/sh
# `pgfsm diff` on schemas that make it hard: tests/diff/hostile/schema.sql, and below what is about a whole database. Each
# agrees with itself, and each change is found.
set -u
here=$(cd "$(dirname "$0")/../diff/hostile" && pwd)
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
: >nothing.sql

agrees() { # SCHEMA
    runs 0 diff --schema "$1" --apply nothing.sql --examples 40 --steps 40 --seed 1 --no-save
}
finds() { # SCHEMA CHANGE
    runs 1 diff --schema "$1" --apply "$2" --max-failures 1 --examples 200 --steps 50 --seed 1 --no-save
}

agrees "$here/schema.sql"
for change in "$here"/*.sql; do
    [ "$change" = "$here/schema.sql" ] || finds "$here/schema.sql" "$change"
done

# The settings at a schema's end are not those of the next file, nor of the requests.
cat >ends.sql <<'END_SQL'
CREATE SCHEMA app;
DO $$ BEGIN
    CREATE ROLE hostile_low NOLOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
CREATE TABLE app.t (id int PRIMARY KEY, n int DEFAULT 1);
GRANT USAGE ON SCHEMA app TO hostile_low;
GRANT SELECT ON app.t TO hostile_low;
SET search_path = app;
SET statement_timeout = '1ms';
SET row_security = off;
SET default_transaction_read_only = on;
SET ROLE hostile_low;
END_SQL
echo 'ALTER TABLE app.t ALTER n SET DEFAULT 2;' >change.sql
agrees ends.sql
finds ends.sql change.sql

# Triggers on DDL, and rules.
cat >events.sql <<'END'
CREATE FUNCTION told() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'told'; END $$;
CREATE EVENT TRIGGER told ON ddl_command_end EXECUTE FUNCTION told();
CREATE TABLE t (id int PRIMARY KEY, n int);
CREATE TABLE seen (id int, n int);
CREATE RULE adds AS ON INSERT TO t DO ALSO INSERT INTO seen VALUES (NEW.id, NEW.n);
CREATE RULE keeps AS ON DELETE TO seen DO INSTEAD NOTHING;
END
echo 'CREATE OR REPLACE RULE adds AS ON INSERT TO t DO ALSO INSERT INTO seen VALUES (NEW.id, NEW.n + 1);' >change.sql
agrees events.sql
finds events.sql change.sql

# Operators, functions and relations of the same names as pg_catalog's, before these.
cat >before.sql <<'END_SQL'
CREATE SCHEMA first;
DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = first, public, pg_catalog', current_database());
END $$;
SET search_path = first, public, pg_catalog;
CREATE FUNCTION fails(text, text) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not for pgfsm'; END $$;
CREATE FUNCTION fails(oid, oid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not for pgfsm'; END $$;
CREATE OPERATOR first.= (LEFTARG = text, RIGHTARG = text, FUNCTION = fails);
CREATE OPERATOR first.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = fails);
CREATE FUNCTION set_config(text, text, bool) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION setval(regclass, bigint, bool) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT '2000-01-01'::timestamptz $$;
CREATE TABLE pg_class (oid int, relname text);
CREATE VIEW pg_database AS SELECT 1 AS one;
CREATE TABLE public.t (id serial PRIMARY KEY, note text, n int CHECK (n < 100));
CREATE FUNCTION public.more(k int) RETURNS int LANGUAGE sql AS 'SELECT n + 1 FROM public.t WHERE id = k';
END_SQL
echo "CREATE OR REPLACE FUNCTION public.more(k int) RETURNS int LANGUAGE sql AS
    'SELECT n + 2 FROM public.t WHERE id = k';" >change.sql
agrees before.sql
finds before.sql change.sql
left_nothing
finish
