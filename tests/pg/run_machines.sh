#!/bin/sh
# ci/run-machines, the script that CI calls, against a server set up as CI's container is: TCP with
# passwords, and the user of ci/role.sql.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"

server_start tcp
psql -qX --set ON_ERROR_STOP=1 --file "$top/ci/role.sql"

export PGHOST=127.0.0.1 PGUSER=pgfsm_ci PGPASSWORD=pgfsm_ci
"$top/ci/run-machines" >"$SERVER_DIR/report" || {
    status=$?
    cat "$SERVER_DIR/report"
    echo "ci/run-machines: exit status $status"
    exit 1
}
cat "$SERVER_DIR/report"

for machine in "$top"/machines/*.yaml; do
    machine=$(basename "$machine" .yaml)
    grep -q "^ok *$machine " "$SERVER_DIR/report" || {
        echo "the report does not say that $machine held"
        exit 1
    }
done

# Nothing is left on the server but the role that the schema makes.
left=$(PGUSER=postgres PGPASSWORD=$SERVER_PASSWORD psql -qXAt --command "
    SELECT datname FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1')")
[ -z "$left" ] || {
    echo "databases left behind: $left"
    exit 1
}
