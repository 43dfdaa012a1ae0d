#!/bin/sh
# `pgfsm locks` on a machine with a migration of its own, and what that accepts by `allow_blocking`. The JSON fits its
# schema.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
common_begin
trap common_end EXIT
no_database
echo 'CREATE TABLE orders (id int PRIMARY KEY, note text); INSERT INTO orders VALUES (1);' >schema.sql
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ADD paid boolean;' >moment.sql
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ADD CHECK (id > 0);' >scan.sql
echo 'ALTER TABLE orders ADD paid boolean;' >queue.sql
echo 'ALTER TABLE orders DROP paid;' >down.sql

# machine MIGRATION
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
migration: $1
rules:
  add: {args: {id: "integers(2, 99)"}, sql: INSERT INTO orders (id) VALUES (:id) ON CONFLICT DO NOTHING}
  list: {sql: SELECT * FROM orders}
END
}

# statuses of a moment, a scan and a queue under the same `allow_blocking`
count=0
while read -r moment scan queue allow; do
    for one in "$moment moment" "$scan scan" "$queue queue"; do
        machine "{files: ${one#* }.sql, down: down.sql$allow}"
        runs "${one% *}" locks m.yaml --format json
        cp out "$((count += 1)).json"
    done
done <<'END'
0 1 1
1 1 1 , allow_blocking: {list: short}
0 1 1 , allow_blocking: {list: short, add: short}
0 0 0 , allow_blocking: {list: any, add: any}
END
/usr/bin/python3 - "$here/../../docs/report.schema.json" ./*.json <<'PY' || complain "the JSON does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    report = json.load(open(path))
    jsonschema.validate(report, {**schema, "oneOf": [{"$ref": "#/$defs/locks"}]})
    jsonschema.validate(report, schema)
    told = sum(
        any(wait["finding"] for wait in statement["waits"]) + any(stand["finding"] for stand in statement["queue"])
        for statement in report["statements"]
    )
    assert told == report["findings"], path
PY
machine '{files: moment.sql, allow_blocking: {list: short}}'
runs 1 locks m.yaml
out '! waits  add, if only for a moment'
out '  waits  list, but only for a moment'
machine '{files: scan.sql, allow_blocking: {list: any}}'
runs 1 locks m.yaml
out '! waits  add'
out '  waits  list; the machine allows it'
# What is told of a queue are the rules that may not wait in it.
for allowed in list add; do
    machine "{files: queue.sql, allow_blocking: {$allowed: any}}"
    runs 1 locks m.yaml
done
out '; behind it: list; set lock_timeout; behind it also, as the machine allows: add'
machine '{files: queue.sql, allow_blocking: {list: any, add: any}}'
runs 0 locks m.yaml
out '  queue  waits for transactions that have written to orders; behind it, as the machine allows: add, list'
# each statement by itself; and files on the command line instead
printf '%s\n' 'SELECT 1;' 'SELECT 2;' >two.sql
machine '{files: two.sql, cut: statement}'
runs 0 locks m.yaml
out '2 statements in 2 transactions'
runs 1 locks m.yaml --migrate queue.sql
out 'BLOCKS  queue.sql'
machine '{files: two.sql, allow_blocking: {lst: short, add: long}}'
runs 2 locks m.yaml
err "there is no rule 'lst', did you mean 'list'?"
err "add may wait \`short\` or \`any\`"
# A row that can't be inserted again meets the one that was, which the migration has changed: no request of others does.
printf '%s\n' "SET lock_timeout = '2s';" "UPDATE orders SET note = '';" >rows.sql
machine rows.sql
sed -i 's/ ON CONFLICT DO NOTHING//' m.yaml
runs 0 locks m.yaml
out 'untried  add'
left_nothing
finish
