#!/bin/sh
# Attributes of a database that CREATE DATABASE does not copy: settings, grants, owner, comment and properties. A copy
# has them in every mode: on one connection and on several, when a failure is confirmed on a new connection, inside the
# transaction, in scripts under pgfsm and under psql; on an embedded server, on a named one, and over TCP with a
# password as a user without privileges.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT
psql -qX --set ON_ERROR_STOP=1 <<'END'
CREATE ROLE joe LOGIN CREATEDB PASSWORD 'secret';
CREATE ROLE reader;
CREATE ROLE chief;
GRANT reader, chief TO joe;
CREATE DATABASE joes OWNER joe;
END
joe=postgresql://joe:secret@127.0.0.1:$SERVER_PORT/joes
databases() { psql -qXAt --command "SELECT datname FROM pg_database ORDER BY 1"; }
before=$(databases)

# A role and an in-place run can't set attributes of objects that they don't own. The other attributes are the same for
# all. The second file sees the settings of the first one, as a new connection would.
cat >set.sql <<'SQL'
CREATE SCHEMA ext;
CREATE SCHEMA "odd "", one";
CREATE FUNCTION ext.answer() RETURNS int LANGUAGE sql AS 'SELECT 42';
SET search_path = pg_catalog;
DO $do$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = public, ext, "odd "", one"', current_database());
    EXECUTE format('ALTER DATABASE %I SET work_mem = ''1234kB''', current_database());
    EXECUTE format('ALTER DATABASE %I SET geqo_threshold = 5', current_database());
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET geqo_threshold = 7', current_database());
    EXECUTE format('COMMENT ON DATABASE %I IS %L', current_database(), 'it''s a comment');
END $do$;
SQL
cat >second.sql <<'END'
CREATE FUNCTION public.again() RETURNS int LANGUAGE sql AS 'SELECT answer()';
END
# A setting of the schema's own, which only a superuser may set for others.
cat >tenant.sql <<'SQL'
DO $do$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET app.tenant = %L', current_database(), 'it''s \ one');
END $do$;
SQL
cat >roles.sql <<'SQL'
DO $do$ BEGIN
    IF to_regrole('chief') IS NULL THEN
        CREATE ROLE reader;
        CREATE ROLE chief;
    END IF;
END $do$;
SQL
cat >owner.sql <<'SQL'
DO $do$ BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO reader WITH GRANT OPTION', current_database());
    EXECUTE format('ALTER DATABASE %I CONNECTION LIMIT 50', current_database());
    EXECUTE format('ALTER DATABASE %I OWNER TO chief', current_database());
    SET LOCAL ROLE reader;
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database());
END $do$;
SQL
cat >set.yaml <<'END'
machine: set
schema: [set.sql, second.sql]
contexts:
  other: {settings: {search_path: "'public'"}}
rules:
  ask:
    args: {n: "integers(0, 9)"}
    sql: SELECT answer() + again() + :n
    expect: 84 + n
  path: {sql: SHOW search_path, expect: "'public, ext, \"odd \"\", one\"'"}
  other: {sql: SHOW search_path, as: other, expect: "'public'"}
  memory: {sql: "SHOW work_mem", expect: "'1234kB'"}
  geqo: {sql: "SHOW geqo_threshold", expect: "'7'"}
END
cat >tenant.yaml <<'END'
machine: tenant
schema: [tenant.sql, set.sql, second.sql]
model: tenant = "it's \\ one"
contexts:
  other: {settings: {app.tenant: "'two'"}}
rules:
  tenant: {sql: "SELECT current_setting('app.tenant')", expect: tenant}
  other: {sql: "SELECT current_setting('app.tenant')", as: other, expect: "'two'"}
END
cat >belongs.yaml <<'END'
machine: belongs
schema: [roles.sql, set.sql, owner.sql]
rules:
  comment:
    sql: SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()
    expect: "\"it's a comment\""
  grants:
    sql: |
      SELECT coalesce(r.rolname, 'all'), a.privilege_type, a.is_grantable, pg_get_userbyid(a.grantor)
      FROM pg_database CROSS JOIN aclexplode(datacl) AS a LEFT JOIN pg_roles AS r ON r.oid = a.grantee
      WHERE datname = current_database() AND a.grantee <> datdba
    expect: "[('reader', 'TEMPORARY', True, 'chief'), ('all', 'TEMPORARY', False, 'reader')]"
  owner:
    sql: SELECT datdba::regrole::text, datconnlimit FROM pg_database WHERE datname = current_database()
    expect: ('chief', 50)
END
each() { # words: a run in every mode of one server
    for mode in "" "--jobs 2"; do
        # shellcheck disable=SC2086 # words
        runs 0 run set.yaml belongs.yaml --seed 1 --examples "$(by_day 5 20)" --no-save $mode "$@"
        out_lacks "copies of the database"
    done
}
each tenant.yaml --embedded
each tenant.yaml
each -d "$joe"

# Inside the transaction there is no other connection, and yet the settings are those of one.
createdb place
runs 0 run set.yaml tenant.yaml --seed 1 --examples "$(by_day 5 20)" --no-save --in-place -d place
runs 0 run tenant.yaml --seed 1 --examples 1 --no-save --in-place --keep -d place # there is nothing to keep
psql -qX -d "$joe" --command "ALTER DATABASE joes SET geqo_threshold = 3; ALTER ROLE joe SET geqo_threshold = 4"
runs 0 run set.yaml --seed 1 --examples "$(by_day 5 20)" --no-save --in-place -d "$joe"
psql -qX -d "$joe" --command "ALTER DATABASE joes RESET ALL; ALTER ROLE joe RESET ALL"

# A failure is the same on all connections, is confirmed, and so is its script.
cat >bug.sql <<'END'
CREATE OR REPLACE FUNCTION ext.answer() RETURNS int LANGUAGE sql
    AS 'SELECT CASE current_setting(''app.tenant'') WHEN ''two'' THEN 42 ELSE 41 END';
END
machine() { # NAME SCHEMA: of other.yaml
    cat <<END
machine: $1
schema: [$2]
contexts:
  other: {settings: {search_path: "'public, ext'", app.tenant: "'two'"}}
rules:
  other: {sql: SELECT answer(), as: other, expect: "42"}
  ask: {sql: SELECT answer(), expect: "42"}
invariants:
  as_other: {sql: SELECT again(), as: other, expect: "42"}
END
}
machine other "set.sql, second.sql" >other.yaml
machine whose "tenant.sql, set.sql, second.sql" >whose.yaml
timeless() { sed 's/[0-9.]* s\([,;]\|$\)/T s\1/g; /^ *again /d; /^ *replay /d; /^ *page /d' "$@"; }
says() { # STATUS COMMAND...
    wanted=$1
    shift
    status=0
    "$@" >out 2>err </dev/null || status=$?
    said="$*"
    [ "$status" = "$wanted" ] || { complain "$said: status $status, not $wanted"; show; }
}
in_empty() { # STATUS SCRIPT [URI]: by psql in an empty database, which joe owns
    psql -qX --command "CREATE DATABASE empty OWNER joe"
    says "$1" psql -X -d "${3:-empty}" -f "$2"
    dropdb empty
}
for name in other whose; do
    for jobs in 1 3; do
        runs 1 run $name.yaml --apply bug.sql --seed 1 --examples 40 --jobs $jobs
        out_lacks FLAKY
        timeless out >"report.$jobs"
        rm -r .pgfsm
    done
    diff report.1 report.3 || complain "$name: --jobs changes what is found"
    script=counterexamples/$name-ask-expect.sql
    cp bug.sql bug.kept
    for state in there fixed; do
        [ $state = there ] && replayed=1 plain=3 || replayed=0 plain=0
        says "$replayed" "$PROGRAM" replay --embedded $script
        in_empty "$plain" $script
        [ $name = whose ] || in_empty "$plain" $script "${joe%/joes}/empty"
        sed -i "s/ELSE 41/ELSE 42/" bug.sql
    done
    cp bug.kept bug.sql
    runs 1 run $name.yaml --apply bug.sql --seed 1 --examples 40 --in-place -d place
    out_lacks FLAKY
    timeless out | diff report.1 - || complain "$name: --in-place changes what is found"
    in_empty 3 $script
done

# If a copy can't be made identical, the run refuses: a security label whose provider the server
# lacks.
cat >label.sql <<'END'
SET allow_system_table_mods = on;
INSERT INTO pg_shseclabel SELECT oid, 'pg_database'::regclass, 'nobody', 'secret' 
FROM pg_database WHERE datname = current_database();
END
cat >label.yaml <<'END'
machine: label
schema: label.sql
rules:
  label: {sql: "SELECT label FROM pg_shseclabel JOIN pg_database ON objoid = oid WHERE datname = current_database()", expect: "'secret'"}
END
runs 0 run label.yaml --seed 1 --examples 40 --no-save --jobs 2
out "1 of 2 connections: there can't be more copies of the database: could not create a scratch database: security label provider \"nobody\" is not loaded"

# Properties that block later operations, such as one that prevents dropping the database.
cat >template.sql <<'END'
DO $do$ BEGIN EXECUTE format('ALTER DATABASE %I IS_TEMPLATE true', current_database()); END $do$;
END
cat >template.yaml <<'END'
machine: template
schema: template.sql
rules:
  may: {sql: "SELECT datistemplate FROM pg_database WHERE datname = current_database()", expect: True}
END
runs 0 run template.yaml --seed 1 --examples 40 --no-save --jobs 2
out_lacks "copies of the database"
runs 0 run template.yaml --seed 1 --examples 40 --no-save --jobs 2 -d "$joe"
err_lacks "left behind"

dropdb place
left_nothing
[ "$(databases)" = "$before" ] || complain "databases are left: $(databases)"
finish
