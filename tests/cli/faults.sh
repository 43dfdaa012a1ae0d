#!/bin/sh
# Faults outside of the tested schema: each has one clear message and the right exit status, and
# leaves nothing behind.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT

databases() {
    psql -qXAt --command "SELECT datname FROM pg_database ORDER BY 1"
}

cat >schema.sql <<END
CREATE TABLE t (n int);

CREATE TABLE u (n int REFERENCES missing);
END
cat >broken_schema.yaml <<END
machine: broken_schema
schema: schema.sql
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END
cat >simple.sql <<END
CREATE TABLE t (n int);
END
cat >simple.yaml <<END
machine: simple
schema: simple.sql
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END
before=$(databases)

# A machine without a schema on an embedded server: one mistake, not one for each name.
cat >bare.yaml <<END
machine: bare
rules:
  add:
    args: {n: 'column("t.n")'}
    sql: INSERT INTO t VALUES (:n)
  look: {sql: SELECT f()}
  again: {sql: SELECT 1 FROM one}
invariants:
  i: SELECT 1 FROM three
  j: SELECT 1 FROM four
END
for command in check run; do
    runs 2 $command --embedded bare.yaml
    err "the machine needs a schema: no database was named, and the embedded one is empty"
    err 'line 5: relation "t" does not exist'
    err 'line 6: function f() does not exist'
    err 'and 1 more'
    err "hint: give the machine \`schema: FILE.sql\`, or name the database that it is about: -d NAME"
    [ "$(grep -c 'error:' err)" = 1 ] || complain "$said: more than one mistake"
done
# A list written on the spot is drawn from: said with its place.
cat >spot.yaml <<END
machine: spot
rules:
  add:
    args: {role: '["ann", "bob"]', key: '{"a": 1}', all: 'just([1, 2])', some: '[x for x in [1]]'}
    sql: SELECT :role::text, :key::text, :all::int[], :some::int
END
runs 0 check spot.yaml
err "spot.yaml:4:18: warning: 'role' gets one item of this value, not the whole"
err "spot.yaml:4:41: warning: 'key' gets one item"
err "hint: write sampled_from(…) around it to make that clear, or just(…) for the whole"
[ "$(grep -c warning: err)" = 2 ] || complain "$said: more warnings than two"
runs 0 run --embedded --no-save --examples 1 spot.yaml
out "spot.yaml:4:18: 'role' gets one item of this value, not the whole"

# If a database is named, each mistake is reported separately.
runs 2 check bare.yaml
err_lacks "no database was named"
err 'relation "three" does not exist'

# A schema file that fails: its name, the line, the server's own message.
runs 2 run broken_schema.yaml
err "schema.sql:3"
err 'relation "missing" does not exist'
runs 2 check broken_schema.yaml
err 'relation "missing" does not exist'
echo 'SELEC 1;' >apply.sql
runs 2 run simple.yaml --apply apply.sql
err "apply.sql:1"
runs 2 run simple.yaml --apply missing.sql
err "missing.sql"

# A database that does not answer.
runs 3 run simple.yaml -h 127.0.0.1 -p 1
err "127.0.0.1"
runs 3 run simple.yaml -h "$DIR/nowhere"
err "$DIR/nowhere"
# A server that accepts a connection but never answers. The timeout is read as libpq reads it, from
# any source.
perl -MIO::Socket::UNIX -e '
    my $listener = IO::Socket::UNIX->new(Local => ".s.PGSQL.5432", Listen => 9) or die "$!";
    sleep 600' &
silent=$!
until_true test -S .s.PGSQL.5432
for limit in "connect_timeout=2" "connect_timeout=2 dbname=other"; do
    status=0
    timeout 12 "$PROGRAM" run simple.yaml -d "host=$DIR port=5432 $limit" 2>err || status=$?
    [ "$status" -eq 3 ] || complain "$limit: exit status $status"
    grep -q "it does not answer" err || complain "$limit: $(cat err)"
done
kill "$silent"
runs 3 run simple.yaml -d "no such database"
err "no such database"
runs 3 run simple.yaml simple.yaml -h 127.0.0.1 -p 1
out "2 machines: 1 stopped, 1 not run"

# A wrong password, none, a wrong connection string.
with='PGPASSWORD=wrong'
runs 3 run simple.yaml -h 127.0.0.1
err "password"
with='PGPASSWORD= PGPASSFILE=/dev/null'
runs 3 run simple.yaml -h 127.0.0.1
err "password"
runs 2 run simple.yaml -d "host=x nonsense=1"
err "invalid connection option"
with="PGPASSWORD=$SERVER_PASSWORD"
runs 0 run simple.yaml -h 127.0.0.1 --examples 2

# A role that may not be assumed: says which grant is missing. And one that does not exist.
psql -qX <<END
CREATE ROLE other NOLOGIN;
CREATE ROLE tester LOGIN CREATEDB PASSWORD 'tester';
CREATE ROLE plain LOGIN PASSWORD 'plain';
END
cat >role.yaml <<END
machine: role
schema: simple.sql
contexts:
  elsewhere: {role: other}
rules:
  add: {sql: SELECT 1, as: elsewhere}
END
sed 's/role: other/role: nobody_such/; s/machine: role/machine: unknown_role/' role.yaml >unknown_role.yaml
with='PGUSER=tester'
runs 2 run role.yaml
err "role.yaml:6:28: error: tester may not assume the role other"
err "GRANT other TO tester"
err_lacks pgfsm_try
runs 2 run unknown_role.yaml
err "nobody_such"
with='PGUSER=plain'
runs 2 run simple.yaml
err "CREATEDB"

# A statement that the server can't prepare.
cat >unknown_column.yaml <<END
machine: unknown_column
schema: simple.sql
rules:
  add:
    sql: INSERT INTO t (m) VALUES (1)
  change:
    sql: |
      UPDATE t
         SET mm = 2
END
runs 2 check unknown_column.yaml
err "unknown_column.yaml:5:"
err "unknown_column.yaml:9:"
runs 2 run unknown_column.yaml
err "unknown_column.yaml:5:"

# A statement that takes too long is a separate kind of failure.
cat >slow.yaml <<END
machine: slow
schema: simple.sql
settings: {statement_timeout: 50ms}
rules:
  sleep: {sql: SELECT pg_sleep(10)}
END
runs 1 run slow.yaml --examples 3
out "FAIL  slow  rule sleep (step 1) took longer than"
out "slow.yaml:"
out "again"

# A role whose transactions are read-only by default: pgfsm still writes to its own objects.
psql -qX <<END
CREATE ROLE reader LOGIN CREATEDB;
ALTER ROLE reader SET default_transaction_read_only = on;
END
runs 0 run simple.yaml -U reader --examples 2
cat >full.yaml <<END
machine: full
schema: simple.sql
rules:
  add: {sql: INSERT INTO t VALUES (1) RETURNING n, expect: 2}
END
runs 1 run full.yaml -U reader --examples 2
createdb -O reader readers
runs 1 replay counterexamples/full-add-expect.sql -U reader -d readers
out "not ok 1 - full: rule add"
dropdb readers

# A mistake in the model's code is no failed property.
cat >model.yaml <<END
machine: model
schema: simple.sql
model: |
  d = {}
rules:
  add: {sql: SELECT 1, model: 'd["x"] += 1'}
END
runs 2 run model.yaml
err "model.yaml:6:"
out "stop  model"

[ "$before" = "$(databases)" ] || complain "databases left behind: $(databases)"
left_nothing
finish
