#!/bin/sh
# An application that keeps its statements prepared, beside a migration: the server refuses one that now returns something
# else, where a session had prepared it before. Statements that name their columns go on working, and so does an
# application that prepares nothing. Argument `all`: also with sessions.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
echo 'CREATE TABLE t (id integer PRIMARY KEY, n integer NOT NULL DEFAULT 0);' >schema.sql
echo 'ALTER TABLE t ADD note text;' >add.sql
echo 'ALTER TABLE t ALTER n TYPE bigint;' >widen.sql

# machine PREPARED COLUMNS [SETTING]
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
settings: {seed: 1, examples: 40, steps: 15, prepared: $1${3:+, $3}}
migration: $migration.sql
model: "ids = set()"
rules:
  add:
    args: {id: "integers(1, 9)"}
    sql: INSERT INTO t (id) VALUES (:id)
    raises: '"unique_violation" if id in ids else None'
    model: ids.add(id)
  find: {args: {id: "integers(1, 9)"}, sql: "SELECT $2 FROM t WHERE id = :id", affects: "1 if id in ids else 0"}
END
}
migration=add
machine true '*'
runs 1 run m.yaml -d postgres
out 'raised feature_not_supported'
out 'cached plan must not change result type'
out 'the session had prepared this statement before the schema changed'
out 'shrunk to 3 steps'
out '2  migrate()'
runs 1 replay counterexamples/m-*.sql -d postgres
out 'not ok 1 - m'
runs 1 replay .pgfsm/m/*.trace -d postgres
out 'cached plan must not change result type'

# Nobody had prepared it: a client that names its columns, one that prepares nothing, one that comes after the migration.
machine true 'id, n'
runs 0 run m.yaml -d postgres
machine false '*'
runs 0 run m.yaml -d postgres
machine true '*'
sed -i 's/  find: {/&prepared: false, /' m.yaml
runs 0 run m.yaml -d postgres
machine true '*'
sed -i 's/  find: {/&from: migration, /' m.yaml
runs 0 run m.yaml -d postgres

# Another type is another result, and errors that are accepted are no excuse.
migration=widen
machine true 'id, n' 'errors: any'
runs 1 run m.yaml --no-save -d postgres
out 'raised feature_not_supported'
machine true 'id, n::integer' 'errors: any'
runs 0 run m.yaml --no-save -d postgres

# Beside the migration, each session has its own.
[ "${1:-}" != all ] || {
    machine true 'id, n' 'sessions: 2'
    runs 1 run m.yaml --examples 60 -d postgres
    out 'feature_not_supported'
    out 'no script: a session runs a statement that it prepared before the schema changed'
    machine false 'id, n' 'sessions: 2'
    runs 0 run m.yaml --examples 60 --no-save -d postgres
}
left_nothing
finish
