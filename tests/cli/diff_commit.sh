#!/bin/sh
# `pgfsm diff --commit`: a migration between committed steps; every execution of an example starts from the same state.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo 'CREATE TABLE t (id int PRIMARY KEY, n int);' >old.sql
echo 'ALTER TABLE t ADD m int DEFAULT 3;' >up.sql
echo 'ALTER TABLE t ADD CHECK (id < 7);' >strict.sql
cat >m.yaml <<'END_YAML'
machine: m
rules:
  add: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t (id) VALUES (:n)"}
END_YAML
runs 0 diff m.yaml --schema old.sql --apply up.sql --seed 1 --examples 8 --steps 8 --commit
out "1 rule with success, 1 table"
runs 0 diff m.yaml --schema old.sql --apply up.sql --seed 1 --examples 8 --steps 8 --commit --no-pipeline --jobs 2
runs 1 diff m.yaml --schema old.sql --apply strict.sql --seed 1 --examples 8 --steps 8 --commit
out_lacks FLAKY
until_true nothing_left
finish
