#!/bin/sh
# --open-passing: passing examples in the reports, step by step. What the model prints says which examples ran, and what
# their steps were.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
schema=$(cd "$(dirname "$0")/../../docs" && pwd)/report.schema.json
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >shelf.sql <<'SQL'
CREATE TABLE book (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text NOT NULL);
SQL
cat >shelf.yaml <<'YAML'
machine: shelf
schema: shelf.sql
model: |
  books = {}
  print("begin")
rules:
  add:
    args: {title: 'sampled_from(["a", "b"])'}
    sql: INSERT INTO book (title) VALUES (:title) RETURNING id
    model: |
      print("rule add")
      books[result.value] = title
    target: ids
  drop:
    args: {book: consumes(ids)}
    sql: DELETE FROM book WHERE id = :book
    model: |
      print("rule drop")
      books.pop(book)
  look: {sql: SELECT 1, model: 'print("rule look")'}
  rare: {precondition: len(books) > 3, sql: SELECT 2, model: 'print("rule rare")'}
invariants:
  books: {sql: "SELECT id, title FROM book", expect: books}
settings: {seed: 2, examples: 30, steps: 8}
YAML

# "rules steps number" of each example, as it should be chosen: the most rules, then the most steps, then the first.
chosen() { # N
    awk '
        function over() { if (n) print rules, steps, n }
        $1 == "begin" { over(); n++; rules = steps = 0; delete ran }
        $1 == "rule" { steps++; rules += !ran[$2]++ }
        END { over() }' printed | sort -k1,1nr -k2,2nr -k3,3n | head -n "$1" | awk '{ print $3, $1, $2 }' | sort -n
}
for jobs in 1 3; do
    runs 0 run shelf.yaml --jobs $jobs --no-save --open-passing 4 --stats --report json=passing.json --report html=passing.html
    cp err printed
    [ "$(grep -c begin printed)" = 30 ] || complain "examples that were run again print: $(grep -c begin printed)"
    jq -r 'select(.type == "passing") | "\(.example) \(.rules) \(.steps | length)"' passing.json >told
    chosen 4 | cmp - told || complain "--jobs $jobs: $(cat told), and not $(chosen 4)"
    jq -c 'select(.type == "passing")' passing.json >"passing.$jobs"
    sed '/^ok /d; / steps\/s/d' out >"out.$jobs"
done
cmp passing.1 passing.3 || complain "more jobs, other examples"

# The steps are those that ran, and each says what it changed.
number=$(sed -n '1s/ .*//p' told)
awk -v wanted="$number" '$1 == "begin" { n++ } $1 == "rule" && n == wanted { print $2 }' printed >ran
head -n 1 passing.1 | jq -r '.account.steps[] | select(.n > 0).rule' | cmp - ran || complain "other steps: $(cat ran)"
head -n 1 passing.1 | jq -r '.steps[]' | sed 's/(.*//' | cmp - ran || complain "other calls"
head -n 1 passing.1 | jq -e '[.account.steps[] | select(.rule == "add" or .rule == "drop")] | all(.model[0][0] == "books" and
    .model[0][1] != .model[0][2] and (.statements | length) == 1 and .held == 1)' >/dev/null ||
    complain "no changes of the model: $(head -n 1 passing.1)"
head -n 1 passing.1 | jq -e '[.account.steps[] | select(.rule == "add").made[0]] | . == [range(length) | "ids_\(. + 1)"]' >/dev/null ||
    complain "no names: $(head -n 1 passing.1)"
grep -qF '"passing":[{"example":' passing.html || complain "the page has none"

# It changes nothing else, and fewer examples may pass than were wanted.
runs 0 run shelf.yaml --no-save --stats
sed '/^ok /d; / steps\/s/d' out | cmp - out.1 || complain "another report: $(cat out)"
runs 0 run shelf.yaml --no-save --examples 2 --open-passing 9 --report json=few.json
[ "$(grep -c '"type":"passing"' few.json)" = 2 ] || complain "not two: $(cat few.json)"
runs 0 run shelf.yaml --no-save --open-passing 0 --report json=none.json
lacks none.json '"type":"passing"'

# Those that fail are none of them; a part of the examples has its own.
sed 's/expect: books/expect: "{} if len(books) == 2 else books"/' shelf.yaml >fails.yaml
runs 1 run fails.yaml --no-save --open-passing 30 --report json=fails.json
failed=$(jq -r 'select(.type == "failure").example' fails.json)
jq -e -s --argjson failed "$failed" '[.[] | select(.type == "passing")] | length > 0 and all(.example != $failed)' fails.json >/dev/null || complain "failing ones: $failed"
runs 0 run shelf.yaml --no-save --shard 2/3 --open-passing 3 --report json=part.json
jq -e -s '[.[] | select(.type == "passing").example] | length == 3 and all(. % 3 == 2)' part.json >/dev/null ||
    complain "those of a part: $(grep passing part.json)"

/usr/bin/python3 - "$schema" passing.json <<'PY' || complain "passing.json does not fit its schema"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    jsonschema.validate(json.loads(line), schema)
PY
# A run that a mistake in the model ends has a report all the same.
cat >mistake.yaml <<'END'
machine: mistake
model: |
  n = 0
  known = {i: 1 for i in range(24)}
rules:
  a: {sql: SELECT 1, model: "n += 1\nknown[n]"}
  b: {sql: SELECT 2}
  c: {sql: SELECT 3}
END
runs 2 run mistake.yaml --seed 1 --examples 30 --open-passing 3 --no-save --report json=mistake.json
jq -e -s 'any(.type == "machine" and .outcome == "stopped")' mistake.json >/dev/null || complain "no end: $(cat mistake.json)"

runs 2 run shelf.yaml --open-passing -1
finish
