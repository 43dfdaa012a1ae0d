#!/bin/sh
# The machine that docs/MACHINES.md makes with tables(), word for word: it holds, and it finds each constraint that is
# missing or does something else.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >projects.sql <<'END'
CREATE TABLE tenants (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE projects (id int PRIMARY KEY, tenant_id int REFERENCES tenants ON DELETE CASCADE);
END
# shellcheck disable=SC2016 # backticks
{
    echo 'machine: projects'
    echo 'schema: [projects.sql]'
    sed -n '/^### Model tables with foreign keys/,/^## /p' "$here/../../docs/MACHINES.md" |
        sed -n '/^```yaml/,/^```$/p' | grep -v '^```'
} >projects.yaml
runs 0 run projects.yaml --no-save --seed 1

fails_with() { # SQL
    echo "$1" >bug.sql
    runs 1 run projects.yaml --no-save --seed 1 --apply bug.sql
    out FAIL
}
fails_with 'ALTER TABLE tenants ALTER name DROP NOT NULL'
fails_with 'ALTER TABLE tenants DROP CONSTRAINT tenants_name_key'
fails_with 'ALTER TABLE projects DROP CONSTRAINT projects_pkey'
fails_with 'ALTER TABLE projects DROP CONSTRAINT projects_tenant_id_fkey'
for action in 'NO ACTION' RESTRICT 'SET NULL'; do
    fails_with "ALTER TABLE projects DROP CONSTRAINT projects_tenant_id_fkey,
        ADD CONSTRAINT projects_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants ON DELETE $action"
done
finish
