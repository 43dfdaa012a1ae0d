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
left_nothing
finish
