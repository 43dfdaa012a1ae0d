#!/bin/sh
# The formats of reports, each read by a program that others wrote: prove, xmllint, jq, jsonschema.
# Names, values and errors are such that each format would read something else into them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../pg/server.sh"
. "$here/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

hostile='<&"%0A # SKIP`é].yaml'
cat >"$hostile" <<'YAML'
machine: hostile
model: n = 0
require: {label big: 50%, add: 1%}
rules:
  add: {sql: SELECT 1, model: n += 1, label: '"small"'}
  boom:
    precondition: n == 2
    sql: |
      DO $$BEGIN RAISE EXCEPTION E'\x01\x1b[31m <x> & "q" # SKIP \r\n::error::in\n``````\n...\n]]> \\ %%0A \uFFFF \u202e'; END$$
  never: {precondition: n < 0, sql: SELECT 1}
  known: {sql: SELECT 1, expect: 2, xfail: "ticket <1> # TODO"}
invariants:
  small: {sql: "SELECT E'\\x01 <b> & \"q\" ]]> \\uFFFE' || 1", check: n <= 2 or result.value == "x"}
  unreached: {precondition: n < 0, sql: SELECT 1, expect: 1}
  fine: {sql: SELECT 1, expect: 1}
examples:
  - {name: "one # TODO <x>", steps: add()}
  - {name: two, steps: "add()\nadd()\nadd()\n"}
settings: {examples: 20, steps: 8, seed: 1}
YAML
cat >good.yaml <<'YAML'
machine: good
rules: {tick: {sql: SELECT 1}}
invariants: {one: {sql: SELECT 1, expect: 1}}
settings: {examples: 2, steps: 3, seed: 1}
YAML
printf 'machine: bad\nrules: {a: {sql: SELECT 1, foo: "<"}}\n' >bad.yaml

set --
for format in tap junit json github markdown sarif ctrf; do
    set -- "$@" --report "$format=report.$format"
done
runs 2 run --no-save --stats "$@" "$hostile" good.yaml bad.yaml
out "FAIL  hostile  rule boom"
for format in tap junit json github markdown sarif ctrf; do
    said="report.$format"
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" "$said" || complain "$said: control characters"
    iconv -f UTF-8 -t UTF-8 "$said" >/dev/null || complain "$said: not UTF-8"
done

# That of one file equals that on standard output.
runs 0 run --no-save --report json good.yaml
sed 's/"time_us":[0-9]*//' out >printed
runs 0 run --no-save --report json=one.json good.yaml
sed 's/"time_us":[0-9]*//' one.json | cmp - printed || complain "a file and standard output differ"

# prove
prove -e cat report.tap >out 2>&1 && complain "prove: the run passes"
said=prove
out "Failed 5/14 subtests"
out "less 2 skipped subtests: 7 okay"
out_lacks "Parse errors"
runs 0 run --no-save --report tap good.yaml
mv out good.tap
prove -e cat good.tap >out 2>&1 || complain "prove: a good run fails: $(cat out)"

# xmllint
xmllint --noout report.junit || complain "xmllint: junit"
xpath() {
    got=$(xmllint --xpath "$1" report.junit)
    [ "$got" = "$2" ] || complain "junit: $1 is $got, not $2"
}
xpath 'count(//testcase)' 14
xpath 'count(//failure)' 4
xpath 'string(//testsuite[@name="bad.yaml"]/testcase/error/@message)' "a rule has no key 'foo'"
xpath 'contains(//testcase[@name="rule boom"]/failure, "]]>")' true
xpath 'string(//testcase[@name="rule known"]/skipped)' 'known failure: ticket <1> # TODO'

# jq, and the schema that we ship
json() { # FILE FILTER EXPECTED
    got=$(jq -r "$2" "$1" 2>&1)
    [ "$got" = "$3" ] || complain "$1: $2 is $got, not $3"
}
json report.json 'select(.type == "end") | [.cases.passed, .cases.failed, .machines.stopped] | @csv' 6,4,1
json report.json 'select(.type == "failure" and .rule == "boom") | .error.message | explode[0]' 1
json report.json 'select(.type == "machine" and .machine == "good") | .stats.rules[0].ran' 6
json report.json 'select(.type == "failure") | .line' "$(printf '9\n13')"
json report.sarif '.runs[0].results | length' 4
json report.sarif '.runs[0].results[0] | [.ruleId, .locations[0].physicalLocation.region.startLine] | @csv' \
    '"unexpected-error",9'
json report.sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' \
    '%3C%26%22%250A%20%23%20SKIP%60%C3%A9%5D.yaml'
json report.ctrf '.results.summary | [.tests, .passed, .failed, .skipped, .other] | @csv' 14,6,5,2,1
json report.ctrf '.results.tests | length' 14
/usr/bin/python3 - "$here/../../docs/report.schema.json" report.json <<'PY' || complain "report.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
for line in open(sys.argv[2]):
    event = json.loads(line)
    # the type's own schema says what is wrong; a type that the schema does not know is an error, too
    jsonschema.validate(event, {**schema, "oneOf": [{"$ref": "#/$defs/" + event["type"]}]})
    jsonschema.validate(event, schema)
PY

# GitHub: a line for each annotation, ten at most, and nothing in it that begins another one.
said=github
[ "$(grep -c '^::error title=' report.github)" = 4 ] || complain "github: $(cat report.github)"
[ "$(wc -l <report.github)" = 4 ] || complain "github: more than the annotations"
grep -qF ',file=<&"%250A # SKIP`é].yaml,line=9,col=' report.github || complain "github: the place"

# Markdown: the fence is longer than any in it.
grep -q '^```````text$' report.markdown || complain "markdown: $(cat report.markdown)"
finish
