#!/bin/sh
# What a run came across: discovery over time, and the values of arguments. The model prints what each step was, so awk
# can count the same things from outside.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >boxes.sql <<'SQL'
CREATE TABLE box (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner text, size integer, note text);
SQL
cat >boxes.yaml <<'YAML'
machine: boxes
schema: boxes.sql
model: |
  order = []
  print("begin")
rules:
  put:
    args:
      who: sampled_from(["ann", "bob", "cem"])
      sealed: booleans()
      size: integers(-300, 100000)
      note: none() | text(max_size=9)
    sql: INSERT INTO box (owner, size, note) VALUES (:who, :size, :note) RETURNING id
    model: |
      print("rule put")
      print("who", who)
      print("sealed", sealed)
      print("size", size)
      print("note", None if note == None else len(note))
      order.append(result.value)
    target: boxes
  take:
    args: {box: boxes, again: consumes(boxes)}
    limit: 5
    sql: DELETE FROM box WHERE id IN (:box, :again)
    model: |
      print("rule take")
      print("box", len(order) - 1 - order.index(box))
      print("again", len(order) - 1 - order.index(again))
      order.remove(again)
  look: {args: {what: 'sampled_from(order)'}, sql: 'SELECT 1 WHERE :what > 0', model: 'print("rule look")'}
  never: {precondition: len(order) > 900, sql: SELECT 1}
settings: {seed: 3, examples: 60, steps: 12}
YAML

# As awk counts it: "who ann 12". Lengths and sizes by the powers of two between which they are.
by_awk() {
    awk '
        function bucket(n,  p) {
            for (p = 1; n < 0 ? -n >= 2 * p : n >= 2 * p; p *= 2);
            return n == 0 ? "0..0" : n < 0 ? (1 - 2 * p) ".." (-p) : p ".." (2 * p - 1)
        }
        $1 == "who" || $1 == "sealed" || $1 == "note" && $2 == "None" { n[$1 " " $2]++; next }
        $1 == "note" || $1 == "size" || $1 == "box" || $1 == "again" { n[$1 " " bucket($2)]++ }
        END { for (key in n) print key, n[key] }' "$1" | sort
}
by_jq() {
    jq -r 'select(.type == "machine").stats.arguments[] | .name as $name |
        if $name == "who" or $name == "sealed" then .values[] | "\($name) \(.value | fromjson? // .) \(.count)"
        else (.values[] | select(.value == "None") | "\($name) \(.value) \(.count)"),
            ((.newer // .numbers // .lengths).buckets[] | "\($name) \(.from)..\(.to) \(.count)") end' "$1" |
        grep -v '^what' | sort
}
# The curve, at each example: rules and pairs so far.
curve_seen() {
    awk '
        $1 == "begin" { if (examples++) print examples - 1, rules, pairs; before = "" }
        $1 == "rule" {
            rules += !ran[$2]++
            if (before) pairs += !pair[before, $2]++
            before = $2
        }
        END { print examples, rules, pairs }' "$1"
}

for jobs in 1 3; do
    runs 0 run boxes.yaml --jobs $jobs --stats --no-save --report json=boxes.json
    cp err "printed.$jobs" # what the model prints
    by_awk "printed.$jobs" >seen
    by_jq boxes.json >told
    cmp -s seen told || complain "--jobs $jobs: not what was printed: $(diff seen told)"
    [ "$(wc -l <seen)" -ge 30 ] || complain "too little was drawn: $(cat seen)"
    jq -c 'select(.type == "machine").stats | [.discovery, .arguments]' boxes.json >"stats.$jobs"
    grep '^ *argument ' -A 9 out >"table.$jobs"
    grep '^ *seen after' -A 5 out >>"table.$jobs"
done
cmp -s stats.1 stats.3 || complain "more jobs, other counts: $(diff stats.1 stats.3)"
cmp -s table.1 table.3 || complain "more jobs, other tables: $(diff table.1 table.3)"

# Each step that ran counts once for each argument.
grep '"type":"machine"' boxes.json | jq -e '.stats | .rules as $rules | .arguments | length == 7 and all(
    .rule as $rule | .drawn == ($rules[] | select(.name == $rule).ran) and
    .drawn == ([.values[].count] | add // 0) + .others + (.newer.count // 0))' >/dev/null ||
    complain "counts do not add up: $(jq -c 'select(.type == "machine").stats.arguments[]' boxes.json)"

# Between two points of the curve nothing is new at those that have one.
curve_seen printed.1 >curve
jq -r 'select(.type == "machine").stats.discovery.points[] | "\(.examples) \(.rules) \(.pairs)"' boxes.json >points
grep -vxFf curve points >wrong && complain "points that are not on the curve: $(cat wrong)"
[ "$(tail -n 1 curve)" = "$(tail -n 1 points)" ] || complain "the end: $(tail -n 1 curve points)"
[ "$(wc -l <points)" -ge 3 ] || complain "few points: $(cat points)"
last() { awk -v column="$1" '$column > most { most = $column; at = $1 } END { print at }' curve; }
[ "$(jq -r 'select(.type == "machine").stats.discovery | "\(.rules.last) \(.pairs.last) \(.rules.of) \(.pairs.of)"' boxes.json)" = \
    "$(last 2) $(last 3) 4 16" ] || complain "the last new ones: $(jq -c .stats.discovery boxes.json)"

# As text: every line fits, and the order is that of frequency.
grep -qE '^    put who +[0-9]+  "[a-z]+" [0-9]+, "[a-z]+" [0-9]+, "[a-z]+" [0-9]+$' table.1 || complain "who: $(cat table.1)"
grep -qE '^    put size +[0-9]+  -[0-9]+ to [0-9,]+, median -?[0-9,]+( to -?[0-9,]+)?$' table.1 || complain "size: $(cat table.1)"
grep -qE '^    put note +[0-9]+  None [0-9]+, length 0 to 9, median ' table.1 || complain "note: $(cat table.1)"
grep -qE '^    take box +[0-9]+  newest [0-9]+, 2nd [0-9]+, 3rd to 4th ' table.1 || complain "box: $(cat table.1)"
grep -qE '^    seen after examples +1 +8 +60 +of +last new in$' table.1 || complain "no curve: $(cat table.1)"
[ -z "$(awk 'length($0) > 80' table.1)" ] || complain "wide lines: $(cat table.1)"

# A part of the examples has its own curve, the same one each time.
for jobs in 1 2; do
    runs 0 run boxes.yaml --jobs $jobs --shard 2/3 --stats --no-save --report json=part.json
    jq -c 'select(.type == "machine").stats | [.discovery, .arguments]' part.json >"part.$jobs"
    cp err printed
done
cmp -s part.1 part.2 || complain "a part: $(diff part.1 part.2)"
curve_seen printed >curve
[ "$(jq -r 'select(.type == "machine").stats.discovery.points[-1] | "\(.examples) \(.rules) \(.pairs)"' part.json)" = \
    "$(tail -n 1 curve)" ] || complain "the end of a part: $(cat part.1 curve)"
by_awk printed >seen
by_jq part.json >told
cmp -s seen told || complain "a part: not what was printed: $(diff seen told)"

/usr/bin/python3 - "$schema" boxes.json <<'PY' || complain "boxes.json does not fit its schema"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    jsonschema.validate(json.loads(line), schema)
PY

# Nobody asked: nothing is counted.
runs 0 run boxes.yaml --no-save --report json=plain.json
out_lacks 'seen after'
grep '"type":"machine"' plain.json | jq -e 'has("stats") | not' >/dev/null || complain "counts that nobody asked for"
finish
