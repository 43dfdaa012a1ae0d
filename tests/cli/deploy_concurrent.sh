#!/bin/sh
# Migrations that wait for the transactions of others, beside sessions that stop at a gate on another table: they go on,
# and nothing hangs. A session that then wants the table has CREATE INDEX CONCURRENTLY fail.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
cat >schema.sql <<'END'
CREATE TABLE orders (id integer PRIMARY KEY, code integer);
CREATE TABLE people (id integer PRIMARY KEY, n integer);
CREATE INDEX people_n ON people (n);
CREATE TABLE parts (id integer, n integer) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (0) TO (10);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (10) TO (20);
END
echo 'CREATE INDEX CONCURRENTLY orders_code ON orders (code);' >create.sql
echo 'DROP INDEX CONCURRENTLY people_n;' >drop.sql
echo 'REINDEX INDEX CONCURRENTLY people_n;' >reindex.sql
echo 'ALTER TABLE parts DETACH PARTITION parts_2 CONCURRENTLY;' >detach.sql

# machine MIGRATION RULE
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
settings: {seed: 1, sessions: 2}
migration: $1.sql
rules:
  order: {args: {id: "integers(1, 9)"}, sql: 'INSERT INTO orders VALUES (:id, 1) ON CONFLICT DO NOTHING', raises: None}
  person:
    args: {id: "integers(1, 9)"}
    sql: INSERT INTO people VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET n = people.n + 1
  part: {args: {id: "integers(1, 9)"}, sql: 'INSERT INTO parts VALUES (:id, 1)', raises: None}
  both: {sql: ['UPDATE people SET n = n + 1', '$2'], raises: None}
END
}

for migration in create drop reindex detach; do
    machine $migration 'UPDATE orders SET code = 1'
    runs 0 run m.yaml --examples 15 --no-save
done
machine create 'LOCK TABLE orders IN SHARE ROW EXCLUSIVE MODE'
runs 1 run m.yaml --examples 60 --no-save
out 'deadlock_detected (40P01)'

# Tables that a migration makes have no gates, which is no news to whoever wrote it.
echo 'CREATE TABLE extra (n integer);' >extra.sql
machine extra 'UPDATE orders SET code = 1'
runs 0 run m.yaml --examples 15 --no-save
out_lacks "don't stop"
left_nothing
finish
