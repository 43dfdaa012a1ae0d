#!/bin/sh
# The backend on a server that somebody else runs: TCP, a password, a user without rights. NAMED is the
# path of test_named.
set -eu

. "$(dirname "$0")/server.sh"

server_start tcp
psql -qX --set ON_ERROR_STOP=1 <<'END'
CREATE ROLE joe LOGIN CREATEDB PASSWORD 'joe''s \ secret';
CREATE ROLE reader;
CREATE ROLE chief;
GRANT reader TO joe;
CREATE DATABASE app OWNER joe;
CREATE DATABASE latin OWNER joe TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C';
CREATE DATABASE bytes OWNER joe TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C';
END
TEST_PORT=$PGPORT
export TEST_PORT
unset PGHOST PGPORT PGUSER PGDATABASE
"$NAMED"
