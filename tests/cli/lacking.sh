#!/bin/sh
# lacking.sh
#
# The server lacks what a statement needs: a disk, memory, files. Neither the statement nor the schema is to blame, so
# the run stops with status 3, names the rule or invariant, and reports no failure. Predicted errors, errors that a
# function raises itself, and errors of other kinds are errors of the schema.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# Sorting needs a file of some megabytes.
cat >schema.sql <<'SQL'
CREATE TABLE t (n int);
CREATE FUNCTION sorted() RETURNS bigint LANGUAGE sql SET temp_file_limit = '64kB' SET work_mem = '64kB' AS
    'SELECT count(*) FROM (SELECT n FROM generate_series(1, 100000) AS n ORDER BY n DESC OFFSET 0) AS s';
CREATE FUNCTION raised(state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'raised' USING ERRCODE = state;
END $$;
SQL
# machine NAME RULE [MORE]
machine() {
    cat >"$1.yaml" <<END
machine: $1
schema: schema.sql
settings: {examples: 3, steps: 2, seed: 1}
rules:
  add: {sql: INSERT INTO t VALUES (1)}
  use: {$2}
${3-}
END
}
exceeded='temporary file size exceeds temp_file_limit'
# stops NAME WHERE
stops() {
    for mode in '' --commit '--sessions 2'; do
        # shellcheck disable=SC2086 # one word or two
        runs 3 run "$1.yaml" $mode --no-save
        err "$2: the server lacks what this needs: configuration_limit_exceeded (53400): $exceeded"
        out 'the run could not continue'
        out_lacks FAIL
    done
}
machine rule 'sql: SELECT sorted()'
stops rule 'rule use'
err 'hint: this says nothing about the schema'
machine marked 'sql: SELECT sorted(), xfail: known'
stops marked 'rule use'
machine other 'sql: SELECT sorted(), raises: unique_violation'
stops other 'rule use'
machine invariant 'sql: SELECT 1' 'invariants: {i: {sql: SELECT sorted(), expect: 100000}}'
stops invariant 'invariant i'
machine begins 'sql: SELECT 1' 'initialize: [{sql: SELECT sorted()}]'
stops begins 'initialize 1'

cat >loaded.sql <<'SQL'
CREATE TABLE t (n int);
\ir schema.sql
SQL
sed -i '1d' loaded.sql
echo 'SELECT sorted();' >>loaded.sql
machine loading 'sql: SELECT 1'
sed -i 's/schema.sql/loaded.sql/' loading.yaml
runs 3 run loading.yaml --no-save
err "$exceeded"

# Those are of the schema.
for mode in '' --commit; do
    machine predicted 'sql: SELECT sorted(), raises: configuration_limit_exceeded'
    # shellcheck disable=SC2086
    runs 0 run predicted.yaml $mode --no-save
    machine of_class 'sql: SELECT sorted(), raises: insufficient_resources'
    # shellcheck disable=SC2086
    runs 0 run of_class.yaml $mode --no-save
    for state in 53100 58000 XX000; do
        machine raised "sql: \"SELECT raised('$state')\""
        # shellcheck disable=SC2086
        runs 1 run raised.yaml $mode --no-save
        out "rule use (step 1)"
        out "$state"
        machine raised "sql: \"SELECT raised('$state')\", raises: '\"$state\"'"
        # shellcheck disable=SC2086
        runs 0 run raised.yaml $mode --no-save
    done
    machine missing "sql: SELECT pg_read_file('no such file')"
    # shellcheck disable=SC2086
    runs 1 run missing.yaml $mode --no-save
    out '58P01'
done
finish
