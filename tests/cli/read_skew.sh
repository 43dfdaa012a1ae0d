#!/bin/sh
# Two reads in one function see different states: sessions stop between its statements. The report says where, and the
# trace and the script stop there again. A machine that reads the texts of functions finds the schema's.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
cat >schema.sql <<'END'
CREATE TABLE test (id integer PRIMARY KEY, value integer NOT NULL);
INSERT INTO test VALUES (1, 10), (2, 20);
CREATE FUNCTION total() RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int; b int; BEGIN
SELECT value INTO a FROM test WHERE id = 1;
SELECT value INTO b FROM test WHERE id = 2; RETURN a + b; END $$;
END
cat >skew.yaml <<'END'
machine: skew
schema: schema.sql
settings: {sessions: 2, seed: 1, examples: 40}
model: "t = {1: 10, 2: 20}"
rules:
  move:
    args: {n: "integers(1, 5)"}
    sql:
      - UPDATE test SET value = value - :n WHERE id = 1
      - UPDATE test SET value = value + :n WHERE id = 2
    model: |
      t[1] -= n
      t[2] += n
  total: {sql: SELECT total(), expect: "t[1] + t[2]"}
END
runs 1 run skew.yaml -d postgres
out 'stops in total(), before line 4'
out 'shrunk to 2 steps'
for file in counterexamples/*.sql .pgfsm/skew/*.trace; do
    runs 1 replay "$file" -d postgres
done
{
    sed '/^  total:/d; s/skew/texts/' skew.yaml
    echo "  text: {sql: \"SELECT count(*) FROM pg_proc WHERE proname = 'total' AND prosrc LIKE '%pgfsm%'\", expect: 0}"
} >texts.yaml
runs 0 run texts.yaml -d postgres
left_nothing
finish
