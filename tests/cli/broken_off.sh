#!/bin/sh
# Steps that break off: the client can't compute what it is to send, or dies after it has read what it sends later, or
# in a machine whose clock has advanced. Nothing waits for ever, and nothing is a false alarm.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
cat >s.sql <<'SQL'
CREATE TABLE counter (n int NOT NULL);
INSERT INTO counter VALUES (0);
CREATE TABLE account (id int PRIMARY KEY, balance int);
INSERT INTO account VALUES (1, 100), (2, 100), (3, 100);
SQL

# Another session deletes the row that it reads, while it holds a lock on the counter.
cat >lacks.yaml <<'YAML'
machine: lacks
schema: s.sql
settings: {seed: 1, sessions: 2, examples: 60}
model: ids = {1, 2, 3}
rules:
  take:
    args: {id: ids}
    sql:
      - UPDATE counter SET n = n + 1
      - {sql: SELECT balance FROM account WHERE id = :id, result: read}
      - let: {rest: read.balance - 1}
        sql: UPDATE account SET balance = :rest WHERE id = :id
  close:
    args: {id: ids}
    sql: DELETE FROM account WHERE id = :id
    model: ids.remove(id)
  count: {sql: UPDATE counter SET n = n + 1}
invariants:
  ids: {sql: SELECT id FROM account, expect: ids}
YAML
runs 0 run lacks.yaml -d postgres

cat >dies.yaml <<'YAML'
machine: dies
schema: s.sql
settings: {seed: 1, examples: 20, transactions: commit}
rules:
  pay:
    transaction: none
    crash: {then: nothing}
    sql:
      - {sql: SELECT balance FROM account WHERE id = 1, result: read}
      - UPDATE counter SET n = n + 1
      - UPDATE account SET balance = :read.balance - 1 WHERE id = 1
invariants:
  known: {sql: SELECT count(*) FROM account WHERE balance IS NULL, expect: "[0]"}
YAML
runs 0 run dies.yaml -d postgres

cat >clocked.yaml <<'YAML'
machine: clocked
clock: 2026-01-01
schema: s.sql
settings: {seed: 1, examples: 10, transactions: commit}
rules:
  wait: {args: {by: 'timedeltas("1 day", "2 days")'}, advance: by, sql: SELECT 1}
  add: {sql: UPDATE counter SET n = n + 1, crash: {then: nothing}}
  ask: {sql: SELECT now(), expect: "[now]"}
YAML
runs 0 run clocked.yaml --embedded

# The first statement fails as predicted; the context of the one that is not sent needs its answer.
cat >refused.yaml <<'YAML'
machine: refused
schema: s.sql
settings: {seed: 1, examples: 5, transactions: commit}
contexts:
  reader: {settings: {app.balance: read.balance}}
rules:
  ask:
    transaction: none
    sql:
      - {sql: SELECT balance / 0 AS balance FROM account WHERE id = 1, result: read}
      - {as: reader, sql: UPDATE counter SET n = n + :read.balance}
    raises: '"division_by_zero"'
YAML
runs 0 run refused.yaml -d postgres
left_nothing
finish
