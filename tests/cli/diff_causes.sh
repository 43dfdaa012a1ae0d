#!/bin/sh
# `pgfsm diff`: what has one cause is told once, whatever shows it.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

# A view, a rule that lists it and a function that reads it show the amount; nothing updates it.
cat >shop.sql <<'SQL'
CREATE TABLE orders (id int PRIMARY KEY, total int NOT NULL);
CREATE VIEW bills AS SELECT id, total AS amount FROM orders;
CREATE FUNCTION due() RETURNS bigint LANGUAGE sql AS 'SELECT sum(amount) FROM bills';
SQL
cat >0042.sql <<'SQL'
ALTER TABLE orders ADD COLUMN amount int;
UPDATE orders SET amount = total;
CREATE FUNCTION set_amount() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.amount := NEW.total; RETURN NEW; END$$;
CREATE TRIGGER set_amount BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION set_amount();
CREATE OR REPLACE VIEW bills AS SELECT id, amount FROM orders;
SQL
cat >shop.yaml <<'YAML'
machine: shop
schema: shop.sql
rules:
  add: {args: {id: "integers(1, 3)", total: "integers(1, 9)"}, sql: "INSERT INTO orders VALUES (:id, :total)"}
  change: {args: {total: "integers(1, 9)"}, sql: "UPDATE orders SET total = :total"}
  list: {sql: SELECT * FROM bills}
  due: {sql: SELECT due()}
settings: {steps: 12, seed: 1}
YAML
runs 1 diff shop.yaml --no-save --apply 0042.sql --examples 40 --report markdown=report.md --report json=report.json
[ "$(grep -c '^DIFFERS' out)" = 1 ] || complain "$said: $(cat out)"
out "DIFFERS  shop  view public.bills after change (step 2): id=1 has amount "
out "  also     differs: rule list (step 3): id=1 has amount "
out "  also     differs: rule due (step 3): "
out "1 difference in "
[ "$(grep -c '^| shop: ' report.md)" = 1 ] || complain "report.md: $(cat report.md)"
[ "$(grep -c '^<details' report.md)" = 1 ] || complain "report.md: $(cat report.md)"
grep -qF '| shop | ❌ differs | 1 |' report.md || complain "report.md: the machine"
[ "$(jq -r 'select(.type == "failure") | .told_with // "itself"' report.json | sort | uniq -c | tr -s '\n ' ' ')" = \
    ' 1 itself 2 view public.bills: rows ' ] || complain "report.json: $(jq .told_with report.json)"

# A column that is gone, and one of another type, are told once, and hide neither that the migration fails on some rows
# nor other answers of the same rules.
cat >shop.sql <<'SQL'
CREATE TABLE orders (id int PRIMARY KEY, total int NOT NULL, note text, size int NOT NULL DEFAULT 1);
CREATE FUNCTION double(n int) RETURNS int LANGUAGE sql AS 'SELECT 2 * n';
SQL
cat >0043.sql <<'SQL'
ALTER TABLE orders RENAME note TO remark;
ALTER TABLE orders ALTER size TYPE bigint;
ALTER TABLE orders ADD CONSTRAINT orders_total CHECK (total < 9);
CREATE OR REPLACE FUNCTION double(n int) RETURNS int LANGUAGE sql AS 'SELECT CASE n WHEN 7 THEN 13 ELSE 2 * n END';
SQL
cat >shop.yaml <<'YAML'
machine: shop
schema: shop.sql
rules:
  add: {args: {id: "integers(1, 9)", total: "integers(1, 9)"}, sql: "INSERT INTO orders (id, total) VALUES (:id, :total)"}
  note: {sql: "UPDATE orders SET note = 'x'"}
  n1: {sql: UPDATE orders SET note = NULL WHERE id > 1}
  n2: {sql: UPDATE orders SET note = NULL WHERE id > 2}
  n3: {sql: UPDATE orders SET note = NULL WHERE id > 3}
  n4: {sql: UPDATE orders SET note = NULL WHERE id > 4}
  notes: {sql: SELECT note FROM orders}
  sizes: {sql: "SELECT id, size FROM orders"}
  all: {sql: SELECT * FROM orders}
  double: {args: {n: "integers(1, 9)"}, sql: "SELECT double(:n)"}
settings: {steps: 12, seed: 1}
YAML
for jobs in 1 2; do
    runs 1 diff shop.yaml --no-save --apply 0043.sql --examples 60 --jobs $jobs --report json=report.json
    head -n 1 out | grep -q '^DIFFERS  shop  migrate 0043.sql (step 2) raised check_violation' || complain "$said: $(cat out)"
    out "rule double (step 1): "
    out "undefined_column after: column \"note\""
    out "size integer before, size bigint after"
    out "  also     shows in: "
    [ "$(grep -c '^DIFFERS' out)" = 4 ] || complain "$said: $(grep '^DIFFERS' out)"
    out "4 differences in "
    [ "$(jq -c 'select(.divergence.kind == "missing") | .divergence | [.place, .elsewhere[]] | unique' report.json)" = \
        '["all","n1","n2","n3","n4","note","notes"]' ] || complain "report.json: $(jq -c .divergence report.json)"
done
left_nothing
finish
