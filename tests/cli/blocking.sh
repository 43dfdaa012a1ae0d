#!/bin/sh
# What the migration of a machine blocks, at the end of a run that passed: news, or a requirement that is not met. `pgfsm
# locks` counts the same findings. Argument `all`: also what is accepted.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
echo 'CREATE TABLE t (n integer);' >schema.sql
echo 'ALTER TABLE t ADD note text;' >queue.sql
printf "SET lock_timeout = '2s';\nALTER TABLE t ADD note text;\n" >short.sql

# machine MIGRATION
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
settings: {seed: 1, examples: 4, steps: 5}
migration: $1
rules:
  add: {sql: INSERT INTO t (n) VALUES (1)}
  list: {sql: SELECT n FROM t, raises: None}
END
}
machine queue.sql
runs 0 run m.yaml --no-save -d postgres
# shellcheck disable=SC2016 # no expansions
out 'while the migration runs, rules wait: 1 finding of `pgfsm locks`; the machine'"'s key"
runs 4 run m.yaml --no-save -d postgres --strict
out 'unmet  m'
out 'the migration blocks what it may not: 1 finding'
out 'queue.sql:1:1: the migration blocks: queue: waits for transactions that have written to t; behind it: add, list'
machine '{files: queue.sql, allow_blocking: {list: any}}'
runs 4 run m.yaml --no-save -d postgres
# What can't be found out is no leave to pass.
psql -Xq -c 'CREATE ROLE poor LOGIN CREATEDB CONNECTION LIMIT 2'
machine '{files: queue.sql, allow_blocking: {add: any, list: any}}'
runs 4 run m.yaml --no-save -d postgres -U poor
out 'what the migration blocks is unknown'
[ "${1:-}" = all ] || {
    left_nothing
    finish
}
machine '{files: queue.sql, allow_blocking: {add: any, list: any}}'
runs 0 run m.yaml --no-save -d postgres --strict
out_lacks warning
machine short.sql
runs 0 run m.yaml --no-save -d postgres --strict
out_lacks warning
# Nothing is said of a part of a run, or of one that fails.
machine queue.sql
runs 0 run m.yaml --no-save -d postgres --rule add --rule migrate
out_lacks warning
sed -i 's/raises: None/expect: "[-1]"/' m.yaml
runs 1 run m.yaml --no-save -d postgres --strict
out_lacks 'the migration blocks'
left_nothing
finish
