#!/bin/sh
# A run never commits to a named database: the checksum of every table is the same before and after,
# whatever happened in between, and the server received no COMMIT.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

createdb app
export PGDATABASE=app
psql -qX <<END
CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts SELECT n, 100 FROM generate_series(1, 5) AS n;
CREATE TABLE log (id int GENERATED ALWAYS AS IDENTITY, line text);
INSERT INTO log (line) VALUES ('first');
ALTER SYSTEM SET log_statement = 'all';
SELECT pg_reload_conf();
END

checksum() {
    psql -qXAt <<END
SELECT 'SELECT ''' || relname || ''', count(*), md5(string_agg(t::text, '','' ORDER BY t::text)) FROM '
    || relname || ' AS t' FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    ORDER BY relname
\gexec
SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname;
END
}
commits() { grep -c 'COMMIT\|PREPARE TRANSACTION' "$SERVER_DIR/log"; }

cat >transfer.yaml <<END
machine: transfer
model: |
  balances = {n: 100 for n in range(1, 6)}
  print("begun")
rules:
  transfer:
    args: {source: balances, target: balances, amount: "integers(1, 20)"}
    sql: |
      UPDATE accounts SET balance = balance - :amount WHERE id = :source;
      UPDATE accounts SET balance = balance + :amount WHERE id = :target;
      INSERT INTO log (line) VALUES ('transfer')
    model: |
      balances[source] -= amount
      balances[target] += amount
invariants:
  balances:
    sql: SELECT id, balance FROM accounts
    expect: balances
END
sed 's/machine: transfer/machine: wrong/; s/balances\[target\] += amount/pass/' transfer.yaml >wrong.yaml
cat >schema.sql <<END
CREATE TABLE extra (n int);
INSERT INTO log (line) VALUES ('schema');
END
sed 's/machine: transfer/machine: placed/; 2i schema: schema.sql' transfer.yaml >placed.yaml

before=$(checksum)
commits_before=$(commits)
unchanged() {
    [ "$before" = "$(checksum)" ] || {
        complain "$said: the database changed"
        printf '%s\n' "$before" >before
        checksum | diff before -
    }
    [ "$commits_before" = "$(commits)" ] || complain "$said: the server saw a COMMIT"
}
begun() { grep -q begun err; }

runs 0 run transfer.yaml
unchanged
runs 1 run wrong.yaml
out "FAIL  wrong"
unchanged
runs 0 run placed.yaml --in-place
unchanged
begin run transfer.yaml --examples 1000000
until_true begun
kill -s INT $!
ends 130
unchanged
begin run transfer.yaml --examples 1000000
until_true begun
kill -s KILL $!
ends 137
unchanged

# A schema that contains a COMMIT is refused in place.
printf 'BEGIN;\nCREATE TABLE extra (n int);\nCOMMIT;\n' >schema.sql
runs 2 run placed.yaml --in-place
err "schema.sql:1"
unchanged
finish
