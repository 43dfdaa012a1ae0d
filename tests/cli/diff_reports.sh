#!/bin/sh
# What reports of `pgfsm diff` say: both answers, the migration as a step, what was compared; each format, JSON by its
# schema, and the page in a browser, which is left out without Chromium and node.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../pg/server.sh"
. "$here/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >shop.sql <<'EOF_SQL'
CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL DEFAULT 'open',
    total int NOT NULL CONSTRAINT total_known CHECK (total < 90));
CREATE VIEW open_orders AS SELECT id FROM orders WHERE status = 'open';
CREATE VIEW mine AS SELECT id FROM orders WHERE current_setting('app.clerk', true) = 'ann';
CREATE TABLE log (line text);
CREATE FUNCTION cancel(which int) RETURNS void LANGUAGE sql AS
    $$UPDATE orders SET status = 'cancelled' WHERE id = which$$;
CREATE FUNCTION listed() RETURNS SETOF orders LANGUAGE sql AS $$SELECT * FROM orders ORDER BY id$$;
EOF_SQL
cat >shop.yaml <<'YAML'
machine: shop
schema: shop.sql
contexts: {clerk: {settings: {app.clerk: '"ann"'}}, nobody: {settings: {app.clerk: '""'}}}
rules:
  order: {args: {total: "integers(1, 99)"}, as: clerk, sql: "INSERT INTO orders (total) VALUES (:total) RETURNING id", target: orders}
  cancel: {args: {order: orders}, sql: "SELECT cancel(:order)"}
  list: {as: clerk, sql: "SELECT id, status FROM listed()"}
  divide: {sql: "SELECT 1 / 0"}
  never: {precondition: 1 > 2, as: nobody, sql: SELECT 1}
settings: {examples: 40, steps: 12, seed: 1}
YAML
# It hides what was cancelled before it, and only that; the log is gone, and there is a new table.
cat >0042.sql <<'EOF_SQL'
CREATE TABLE gone AS SELECT id FROM orders WHERE status = 'cancelled';
CREATE OR REPLACE FUNCTION listed() RETURNS SETOF orders LANGUAGE sql AS
    $$SELECT * FROM orders WHERE id NOT IN (SELECT id FROM gone) ORDER BY id$$;
DROP TABLE log;
ALTER TABLE orders RENAME CONSTRAINT total_known TO total_small;
EOF_SQL

set --
for format in json junit tap markdown github sarif ctrf html; do
    set -- "$@" --report "$format=report.$format"
done
runs 1 diff --no-save --apply 0042.sql "$@" shop.yaml
said="the text"
out "DIFFERS  shop  rule list (step 4): only before (id="
out "  3  migrate 0042.sql"
out "  4> list()"
out "before 1 row   after 0 rows"
out "     SELECT id, status FROM listed()        as clerk"
out ', status="cancelled"   (row 1)'
out "       where    orders_1 = "
out "1 difference in "
out "    compared       3 rules with success, 1 table, 2 views, as the connecting user and \"clerk\""
out "    errors only    divide (division_by_zero ("
out "    not reached    role nobody"
out "    only before    table public.log"
out "    only after     table public.gone"
out "    renamed        total_known of orders is total_small after"
out_lacks expected
out_lacks actual
out_lacks "pin  "
for format in junit tap markdown github sarif ctrf; do
    grep -qF 'rule list (step 4): only before (id=1, ' "report.$format" ||
        grep -qF 'rule list (step 4)' "report.$format" || complain "$format: no sentence"
    ! grep -qiE '(model|database) *\)|why the model' "report.$format" || complain "$format: speaks of a model"
done
for format in junit tap markdown; do
    grep -q 'only before.*table public.log' "report.$format" || complain "$format: what was compared: $(cat "report.$format")"
done

# A row of a table for a reviewer: what differs, how, and by which steps.
said=markdown
grep -qF '| shop | ❌ differs | 1 |' report.markdown || complain "markdown: the machine"
grep -qF '| machine | result | differences |' report.markdown || complain "markdown: the machine's head"
grep -qF '| difference | before | after | steps |' report.markdown || complain "markdown: no table"
grep -qF '<code>migrate 0042.sql</code><br><code>list\(\)</code> |' report.markdown || complain "markdown: $(cat report.markdown)"
grep -q '^[0-9]* differ$\|agree, [0-9]* differ' report.markdown || complain "markdown: $(tail -n 1 report.markdown)"
grep -qF '**What was compared**' report.markdown || complain "markdown: what was compared"

mv out differs.out
verdict() {
    sed -n '1{s/^DIFFERS  shop  \(.*\)/shop differs: \1./; s/"/\\"/g; p}' "$1.out"
}
json() { # FILTER EXPECTED
    got=$(jq -r "$1" report.json 2>&1)
    [ "$got" = "$2" ] || complain "report.json: $1 is $got, not $2"
}
json 'select(.type == "failure") | .divergence | [.kind, .place, .context, .before, .after, .rows[0].before[1]] | @csv' \
    '"rows","list","as clerk","1 row","no rows","""cancelled"""'
json 'select(.type == "failure") | [.account.steps[] | select(.rule == "migrate") | .call] | @csv' '"migrate 0042.sql"'
json 'select(.type == "failure") | .expected, .actual' "$(printf 'null\nnull')"
json 'select(.type == "failure") | .account.steps[-1] | [.statements[0].differs, .statements[0].answer.total, .statements[0].after.total] | @csv' true,1,0
json 'select(.type == "machine") | .compared | [.raised_only[0], .never_ran[0], .readers[0], .only_before[0], .only_after[0], .renamed[0].after] | @csv' \
    '"divide","never","clerk","table public.log","table public.gone","total_small"'
/usr/bin/python3 - "$here/../../docs/report.schema.json" report.json <<'PY' || complain "report.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    event = json.loads(line)
    jsonschema.validate(event, {**schema, "oneOf": [{"$ref": "#/$defs/" + event["type"]}]})
PY

# Where both agree.
echo 'ALTER TABLE orders RENAME CONSTRAINT total_known TO total_small;' >harmless.sql
runs 0 diff --no-save --apply harmless.sql --report html=agree.html --examples 10 shop.yaml
out "agree  shop  10 examples"

# Several machines, one of which asks nothing that differs.
sed '/^  list:/d; s/^machine: shop/machine: quiet/' shop.yaml >quiet.yaml
runs 1 diff --no-save --apply 0042.sql --report html=both.html --examples 10 shop.yaml quiet.yaml
out "agree  quiet  10 examples"
out "2 machines: 1 ok, 1 failed"

# A migration that these rows refuse.
echo "CREATE TABLE shares AS SELECT 1 / (1 - count(*)) AS share FROM orders WHERE status = 'cancelled';" >refused.sql
runs 1 diff --no-save --apply refused.sql --report html=refused.html shop.yaml
out "DIFFERS  shop  migrate refused.sql (step 3) raised division_by_zero: division by zero"
out "         at           refused.sql:1:1"

# What shows only with the settings that an example has used.
echo "CREATE OR REPLACE VIEW mine AS SELECT id FROM orders WHERE current_setting('app.clerk', true) = 'bob';" >mine.sql
runs 1 diff --no-save --apply mine.sql --report html=mine.html --report json=mine.json shop.yaml
out "DIFFERS  shop  view public.mine as owner after order (step 1): only before"
out "     view public.mine        as owner"
out "       with app.clerk = ann"
mv out mine.out
[ "$(jq -r 'select(.type == "failure") | .divergence | [.place, .context] | @csv' mine.json)" = '"view public.mine","as owner"' ] ||
    complain "mine.json: the place"

if command -v chromium >/dev/null && command -v node >/dev/null; then
    axe=$("$here/../support/npm.sh" axe-core 4.14.1 \
        1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b734f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5) &&
        axe=$axe/axe.min.js || axe=
    node "$here/../report/check.mjs" "$(command -v chromium)" "$axe" \
        report.html '{"guilty": true, "verdict": "'"$(verdict differs)"'",
            "texts": ["The shortest sequence that differs", "migrate 0042.sql", "only before", "Before", "After",
                "What was compared", "table public.log", "differs here"]}' \
        agree.html '{"once": true, "verdict": "shop agrees: 10 examples with 120 steps found nothing wrong.", "texts": ["What was compared"]}' \
        both.html '{"once": true, "verdict": "1 of 2 machines differs: shop.", "texts": ["agrees"]}' \
        refused.html '{"once": true, "verdict": "shop differs: migrate refused.sql (step 3) raised division_by_zero: division by zero.",
            "texts": ["migrate refused.sql"]}' \
        mine.html '{"guilty": true, "verdict": "'"$(verdict mine)"'", "texts": ["View public.mine", "after step 1", "with app.clerk = ann", "only before"]}' \
        >found 2>&1 || complain "the pages: $(head -n 30 found)"
fi
left_nothing
finish
