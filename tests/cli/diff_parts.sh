#!/bin/sh
# `pgfsm diff` where a step fails on one side for a reason that is no difference: what is left behind may differ, so the
# example ends there.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

schema() { # BODY
    echo 'CREATE TABLE t (id int);'
    echo "CREATE FUNCTION add(n int) RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN $1 INSERT INTO t VALUES (n); END \$\$;"
}
schema '' >fast.sql
schema 'PERFORM pg_sleep(60);' >slow.sql
schema 'IF random() < 0.5 THEN RAISE division_by_zero; END IF;' >lucky.sql
cat >m.yaml <<'END_YAML'
machine: m
settings: {statement_timeout: 1s}
rules:
  add: {args: {n: "integers(1, 9)"}, sql: "SELECT add(:n)"}
END_YAML

# A time limit of the old side alone.
runs 0 diff m.yaml --schema slow.sql --new-schema fast.sql --seed 1 --examples 2 --steps 3 --report json=report.json
out "ended early    2 examples, where a step failed on one side alone"
out "ended by       add (2)"
out "compared       0 rules with success"
holds report.json '"ended_early":2,"ended_by":["add (2)"]'

# The new side hangs each time, and the old one answers at once. Half a second, as each run of it takes so long.
sed -i 's/1s/500ms/' m.yaml
runs 1 diff m.yaml --schema fast.sql --new-schema slow.sql --seed 1 --examples 2 --steps 3
out "DIFFERS  m  rule add (step 1)"
out "after    query_canceled (57014)"

# Answers that fill the memory of an example end it, and not the run.
{
    cat fast.sql
    echo "CREATE FUNCTION big() RETURNS text LANGUAGE sql STABLE AS \$\$ SELECT repeat('x', 8000000) \$\$;"
} >big.sql
cat >big.yaml <<'END_YAML'
machine: big
model: "all = []"
rules:
  big: {sql: SELECT big(), model: all.append(result.value)}
END_YAML
runs 0 diff big.yaml --schema big.sql --new-schema big.sql --seed 1 --examples 3 --steps 20
out "agree  big  3 examples"
out "its answers were too large"
out "ended by       big (3)"

# What raises an error by nature does so on one side alone, too.
runs 0 diff m.yaml --schema lucky.sql --new-schema lucky.sql --seed 1 --examples 20 --steps 5
out "the errors of add"
out "ended early"
left_nothing
finish
