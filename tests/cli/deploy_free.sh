#!/bin/sh
# A machine that accepts any error still says what a migration breaks: an error of a program that no longer fits the
# schema, and of the migration itself. What failed before the migration, too, is none.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
cat >schema.sql <<'END'
CREATE TABLE orders (id integer PRIMARY KEY, total integer NOT NULL, note text);
CREATE FUNCTION totals() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT sum(total) FROM orders); END';
CREATE FUNCTION notes() RETURNS text LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT max(note) FROM orders); END';
CREATE FUNCTION broken() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT sum(nothing) FROM orders); END';
END
runs 0 init --free --schema schema.sql -o free.yaml
cat >m.yaml <<'END'
machine: m
schema: schema.sql
settings: {errors: any, steps: 20, examples: 40}
rules:
  place:
    args: {id: "integers(1, 9)", total: "one_of(integers(0, 9), none())"}
    sql: INSERT INTO orders (id, total) VALUES (:id, :total)
  annotate: {sql: UPDATE orders SET note = 'x'}
  totals: {sql: SELECT totals()}
  notes: {sql: SELECT notes()}
  broken: {sql: SELECT broken()}
  never: {sql: SELECT nothing FROM orders}
  clash: {sql: 'INSERT INTO orders (id, total) VALUES (1, 1) ON CONFLICT (note) DO NOTHING'}
  upsert: {sql: 'INSERT INTO orders (id, total) VALUES (1, 1) ON CONFLICT (id) DO NOTHING'}
END

# tried STATUS WORDS SQL: by both machines
tried() {
    echo "$3" >migration.sql
    runs "$1" run free.yaml --migrate migration.sql --seed 1 --examples 40 --steps 20 --no-save
    runs "$1" run m.yaml --migrate migration.sql --seed 1 --no-save
    out "$2"
}

tried 1 'raised not_null_violation' "ALTER TABLE orders ADD s text; UPDATE orders SET s = ''; ALTER TABLE orders ALTER s SET NOT NULL;"
tried 0 'ok  m' "ALTER TABLE orders ADD s text NOT NULL DEFAULT '';"
[ "${1:-}" = all ] || {
    left_nothing
    finish
}
runs 0 run m.yaml --migrate migration.sql --seed 1 --examples 15 --no-save --sessions 2
# a column that was there may have got rules
tried 1 'rule migrate' 'ALTER TABLE orders ALTER note SET NOT NULL;'
tried 0 'ok  m' "UPDATE orders SET note = ''; ALTER TABLE orders ALTER note SET DEFAULT '', ADD CHECK (total < 8) NOT VALID;"
tried 1 'raised undefined_column' 'ALTER TABLE orders RENAME note TO remark;'
tried 1 'raised undefined_table' 'ALTER TABLE orders RENAME TO purchases;'
tried 1 'raised undefined_function' 'DROP FUNCTION totals();'
tried 1 'rule totals' 'ALTER TABLE orders ALTER total TYPE text;'
echo 'ALTER TABLE orders DROP CONSTRAINT orders_pkey;' >migration.sql
runs 1 run m.yaml --migrate migration.sql --seed 1 --no-save
out 'rule upsert'
# in a function: only if it had worked
sed '/annotate:/d' m.yaml >functions.yaml
echo 'ALTER TABLE orders DROP note;' >migration.sql
runs 1 run functions.yaml --migrate migration.sql --seed 1 --no-save
out 'rule notes'
runs 0 run functions.yaml --migrate migration.sql --seed 1 --no-save --rule 'broken' --rule 'migrate'
left_nothing
finish
