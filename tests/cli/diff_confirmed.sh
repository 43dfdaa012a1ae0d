#!/bin/sh
# `pgfsm diff`: a migration that fails between two steps, inside the transaction of an example, is tried where steps are
# committed, too. now() is later there than in the rows before it.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo 'CREATE TABLE t (id int PRIMARY KEY, made timestamptz NOT NULL DEFAULT now());' >old.sql
cat >later.sql <<'END_SQL'
ALTER TABLE t ADD changed timestamptz;
UPDATE t SET changed = now();
ALTER TABLE t ADD CHECK (changed > made);
END_SQL
echo 'ALTER TABLE t ADD UNIQUE (made);' >never.sql
cat >m.yaml <<'END_YAML'
machine: m
rules:
  add: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t VALUES (:n, '2001-01-01')"}
  add_now: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t (id) VALUES (:n)"}
END_YAML
one='diff m.yaml --schema old.sql --seed 1 --examples 4 --steps 6'
# shellcheck disable=SC2086 # words
runs 0 $one --apply later.sql
out "the migration fails inside the transaction of an example, but not where psql runs it (later.sql:3:1: 23514: "
out "so it runs only before the first step from there on; with --commit, it runs between steps, too"
ls counterexamples .pgfsm/m/* 2>/dev/null && complain "$said: kept a failure"
# Fails in both.
# shellcheck disable=SC2086
runs 1 $one --apply never.sql
out "migrate never.sql (step 3) raised unique_violation"
out_lacks "where psql runs it"
until_true nothing_left
finish
