#!/bin/sh
# A step must not commit changes of objects that all databases of a server share, even if nested functions make them:
# the run ends with an error, and the server is unchanged. Changes inside the copy of the database are allowed.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"

psql -qX --command 'CREATE ROLE commit_shared' --command 'CREATE DATABASE other'
cat >shared.sql <<'SQL'
SELECT pg_catalog.string_agg(t.name || pg_catalog.query_to_xml(t.sql, true, false, '')::text, '' ORDER BY t.name)
FROM (SELECT c.relname AS name,
             format('SELECT md5(string_agg(r::text, '''' ORDER BY r::text)) FROM pg_catalog.%I AS r%s', c.relname,
                    CASE c.relname WHEN 'pg_database' THEN $$ WHERE datname !~ '^pgfsm_scratch'$$ END) AS sql
      FROM pg_catalog.pg_class AS c WHERE c.relisshared AND c.relkind = 'r' AND c.relname <> 'pg_shdepend') AS t
SQL
psql -qXAt --file shared.sql >wanted

fail() {
    echo "$1"
    cat report
    exit 1
}

# steps STATUS SQL: of a function whose text does not show the statements that it runs
steps() {
    cat >schema.sql <<SQL
CREATE TABLE written (n int);
CREATE FUNCTION run(part text) RETURNS void LANGUAGE plpgsql AS \$\$
BEGIN
    BEGIN
        INSERT INTO written VALUES (1);
        EXECUTE part || \$part\$$2\$part\$;
    EXCEPTION WHEN division_by_zero THEN NULL;
    END;
END \$\$;
SQL
    cat >machine.yaml <<'END'
machine: shared
schema: schema.sql
settings: {examples: 2, steps: 2}
rules: {run: {sql: SELECT run('')}}
END
    status=0
    "$PROGRAM" run machine.yaml -d postgres --commit --no-save --color never >report 2>&1 || status=$?
    [ "$status" = "$1" ] || fail "$2: exit status $status, not $1"
    [ "$1" = 0 ] || grep -q 'one of them changes what all databases of a server share' report || fail "$2: not said"
    psql -qXAt --file shared.sql | cmp - wanted || fail "$2: it stays"
}

steps 2 'CREATE ROLE made'
steps 2 'GRANT pg_monitor TO commit_shared'
steps 2 'ALTER ROLE commit_shared SET work_mem TO 100'
steps 2 'GRANT CREATE ON DATABASE other TO commit_shared'
steps 2 "CREATE SUBSCRIPTION made CONNECTION 'dbname=other' PUBLICATION p WITH (connect = false, slot_name = NONE)"
steps 2 "COMMENT ON DATABASE other IS 'other'"
steps 2 "UPDATE pg_catalog.pg_authid SET rolconnlimit = 5 WHERE rolname = 'commit_shared'"
steps 2 "SELECT pg_replication_origin_create('made')"
steps 2 "ALTER DATABASE other SET work_mem = 100"
steps 2 "INSERT INTO pg_catalog.pg_shseclabel SELECT oid, 'pg_authid'::regclass, 'dummy', 'secret' FROM pg_roles WHERE rolname = 'commit_shared'"
if [ "$SERVER_MAJOR" -ge 15 ]; then
    steps 2 'GRANT SET ON PARAMETER work_mem TO commit_shared'
fi
steps 0 'SELECT 1 / 0; CREATE ROLE made'
steps 0 'CREATE TABLE IF NOT EXISTS made (n int); ALTER TABLE made OWNER TO commit_shared; GRANT SELECT ON written TO commit_shared'
left=$(psql -qXAt --command "SELECT count(*) FROM pg_database WHERE datname ~ 'pgfsm'")
[ "$left" = 0 ] || fail "$left databases are left"
