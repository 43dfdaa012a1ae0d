#!/bin/sh
# Roles, schemas, grants and event triggers as a Supabase database has them, where the user `postgres` is no superuser.
# The machine of docs/SUPABASE.md runs there in a scratch database, and in the database itself, as it is.
# shellcheck disable=SC2317 # functions that the trap calls
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/../cli/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

psql -qX --set ON_ERROR_STOP=1 --command 'CREATE ROLE supabase_admin SUPERUSER LOGIN' || exit 1
psql -qX --set ON_ERROR_STOP=1 -U supabase_admin <<'END_SQL'
SET client_min_messages = warning;
ALTER ROLE postgres RENAME TO first;
CREATE ROLE postgres LOGIN CREATEDB CREATEROLE REPLICATION BYPASSRLS;
CREATE ROLE anon NOLOGIN;
CREATE ROLE authenticated NOLOGIN;
CREATE ROLE service_role NOLOGIN BYPASSRLS;
CREATE ROLE authenticator LOGIN NOINHERIT;
CREATE ROLE supabase_auth_admin LOGIN NOINHERIT CREATEROLE;
GRANT anon, authenticated, service_role TO postgres, authenticator;
GRANT pg_monitor TO postgres;
ALTER ROLE anon SET statement_timeout = '3s';
ALTER ROLE authenticated SET statement_timeout = '8s';
ALTER ROLE postgres SET search_path = "$user", public, extensions;
GRANT ALL ON DATABASE postgres TO postgres;

CREATE SCHEMA extensions;
CREATE EXTENSION pgcrypto SCHEMA extensions;
CREATE EXTENSION "uuid-ossp" SCHEMA extensions;
CREATE SCHEMA auth AUTHORIZATION supabase_admin;
CREATE TABLE auth.users (id uuid PRIMARY KEY, email varchar(255) UNIQUE, raw_user_meta_data jsonb);
ALTER TABLE auth.users OWNER TO supabase_auth_admin;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
GRANT ALL ON SCHEMA auth TO supabase_auth_admin;
GRANT USAGE ON SCHEMA auth, extensions, public TO postgres, anon, authenticated, service_role;
GRANT CREATE ON SCHEMA public, auth TO postgres;
GRANT ALL ON ALL TABLES IN SCHEMA auth TO postgres;
GRANT ALL ON ALL ROUTINES IN SCHEMA auth TO postgres;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public
    GRANT ALL ON TABLES TO postgres, anon, authenticated, service_role;
ALTER DEFAULT PRIVILEGES FOR ROLE postgres IN SCHEMA public
    GRANT ALL ON SEQUENCES TO postgres, anon, authenticated, service_role;

CREATE FUNCTION extensions.pgrst_ddl_watch() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM pg_event_trigger_ddl_commands();
    NOTIFY pgrst, 'reload schema';
END $$;
CREATE EVENT TRIGGER pgrst_ddl_watch ON ddl_command_end EXECUTE FUNCTION extensions.pgrst_ddl_watch();
CREATE FUNCTION extensions.pgrst_drop_watch() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM pg_event_trigger_dropped_objects();
    NOTIFY pgrst, 'reload schema';
END $$;
CREATE EVENT TRIGGER pgrst_drop_watch ON sql_drop EXECUTE FUNCTION extensions.pgrst_drop_watch();
END_SQL

# The files of docs/SUPABASE.md: notes.sql with the bug, then without it, and the machine.
block() { # LANGUAGE NUMBER
    awk -v fence="\`\`\`$1" -v wanted="$2" '/^```/ { inside = 0 } inside { print }
        $0 == fence && ++count == wanted { inside = 1 }' "$top/docs/SUPABASE.md"
}
mkdir migrations
cp "$top/sql/supabase.sql" .
block sql 1 >wrong.sql
block sql 2 >right.sql
block yaml 1 | sed 's/notes.sql/right.sql/' >right.yaml
sed 's/right.sql/wrong.sql/' right.yaml >wrong.yaml
grep -q 'CREATE POLICY' wrong.sql || complain "no policy in $top/docs/SUPABASE.md"

nothing_stays() {
    [ -z "$(psql -qXAt --command "SELECT datname FROM pg_database WHERE datname ~ '^pgfsm'" \
        --command 'SELECT id FROM auth.users' --command "SELECT rolname FROM pg_roles WHERE rolname ~ '^pgfsm'")" ] ||
        complain "$said: something is left"
    left_nothing
}
fault="FAIL  notes  rule delete (step 3) changed 1 row, expected no rows"
for options in '' --commit; do
    # shellcheck disable=SC2086
    runs 1 run wrong.yaml --seed 1 --examples 20 --no-save $options
    out "$fault"
    # shellcheck disable=SC2086
    runs 0 run right.yaml --seed 1 --examples 5 --no-save $options
    nothing_stays
done
runs 0 run right.yaml --seed 1 --examples 5 --no-save --sessions 2
out "sessions stop only between statements, not inside of them"
nothing_stays
runs 1 diff --schema supabase.sql --schema right.sql --new-schema supabase.sql --new-schema wrong.sql --seed 1 --no-save --examples 50
nothing_stays
cp right.sql migrations/1.sql
runs 0 init --schema supabase.sql --schema migrations/1.sql -o first.yaml
runs 0 run first.yaml --examples 3 --no-save
nothing_stays

# The database as it is: event triggers fire, and auth.users belongs to somebody else.
psql -qX --set ON_ERROR_STOP=1 -f wrong.sql || complain "the migration doesn't load"
runs 1 run wrong.yaml --no-schema --seed 1 --examples 20
out "$fault"
runs 1 replay counterexamples/*.sql
out "not ok 1"
nothing_stays
psql -qX --command 'DROP TABLE notes' -f right.sql
runs 0 run right.yaml --no-schema --seed 1 --examples 5 --no-save
nothing_stays
psql -qX --command 'DROP TABLE notes'
sed 's/^schema: .*/schema: right.sql/' right.yaml >place.yaml
runs 0 run place.yaml --in-place --seed 1 --examples 5 --no-save
nothing_stays
finish
