#!/bin/sh
# --report mutation=FILE: checks it with jq, the schema of Stryker's reports and Stryker's own viewer. npm packages hold
# the schema, ajv and the viewer; without them, node or Chromium, that part is skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../pg/server.sh"
. "$here/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
export PGFSM_JOBS=1 PGFSM_EXAMPLES=5

cat >shop.sql <<'SQL'
-- é 😀 </script>
CREATE TABLE item (id int PRIMARY KEY, "the </n>" int NOT NULL DEFAULT 0 CHECK ("the </n>" < 9), code text UNIQUE);
\i more.sql
SQL
cat >more.sql <<'SQL'
CREATE FUNCTION add(id int, n int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF n > 900 THEN RAISE EXCEPTION 'é'; END IF;
    INSERT INTO item VALUES (id, n);
END $$;
SQL
cat >shop.yaml <<'END'
machine: shop
schema: shop.sql
settings: {seed: 1, steps: 8}
model: items = set()
rules:
  add:
    args: {id: "integers(1, 9)"}
    sql: SELECT add(:id, 1)
    raises: unique_violation if id in items else None
    model: items.add(id)
invariants:
  items: {sql: SELECT id FROM item, expect: items}
END
sed 's/machine: shop/machine: twin/' shop.yaml >twin.yaml
psql -qXc 'CREATE TABLE plain (n int CHECK (n > 0))'
cat >plain.yaml <<'END'
machine: plain
settings: {seed: 1, steps: 2}
rules: {add: {sql: INSERT INTO plain VALUES (1)}}
END

json() { # FILE FILTER EXPECTED
    got=$(jq -r "$2" "$1" 2>&1)
    [ "$got" = "$3" ] || complain "$1: $2 is $got, not $3"
}
mutants='[.files[].mutants[]]'
runs 0 mutate shop.yaml --only drop-* --only 'add(*' --report mutation=one.json --report json=events.json
json one.json '.files | keys | join(" ")' 'more.sql shop.sql'
json one.json "$mutants | length == (map(.id) | unique | length)" true
json one.json "$mutants | length" "$(grep -c '"kind":"mutant"' events.json)"
json one.json '.files["more.sql"].mutants[] | select(.mutatorName == "drop-statement" and .status == "Killed") |
    [.location.start.line, .location.end.line, .killedBy[]] | join(" ")' '1 5 shop: invariant items'
json one.json '.files["shop.sql"].mutants[] | select(.mutatorName == "drop-check") |
    [.status, .location.start.line, .replacement] | join(" ")' \
    'Survived 2 CREATE TABLE item (id int PRIMARY KEY, "the </n>" int NOT NULL DEFAULT 0 , code text UNIQUE)'
json one.json '[.testFiles["shop.yaml"].tests[].id] | join(" ")' 'shop: initialize shop: rule add shop: invariant items'

# Each replacement is a complete CREATE statement, and differs from the original.
# shellcheck disable=SC2016 # jq's variables
text='(.location as $l | ($source | split("\n"))[$l.start.line - 1:$l.end.line] |
    .[-1] |= .[:$l.end.column - 1] | .[0] |= .[$l.start.column - 1:] | join("\n"))'
json one.json "[.files[] | .source as \$source | .mutants[] | select($text == .replacement) | .id] | length" 0
json one.json "[.files[] | .source as \$source | .mutants[] | select($text | startswith(\"CREATE\") | not) | .id] | length" 0

# Two machines on one schema; a named database, whose definitions no file has; a machine that can't be read; --list; run.
runs 2 mutate shop.yaml twin.yaml nowhere.yaml --only drop-check --report mutation=two.json
json two.json '.files | keys | join(" ")' 'shop/shop.sql twin/shop.sql'
json two.json "$mutants | map(.status) | join(\" \")" 'Survived Survived'
runs 0 mutate plain.yaml -d postgres --only drop-check --report mutation=plain.json
json plain.json '.files | to_entries[] | [.key, .value.mutants[0].location.start.line] | join(" ")' 'catalog/plain.sql 2'
runs 0 mutate shop.yaml --list --report mutation=list.json
json list.json "$mutants | map(select(.status == \"Pending\")) | length > 5" true
runs 0 run shop.yaml --no-save --report mutation=run.json
json run.json "$mutants | length" 0

[ "$checks_failed" = 0 ] || exit 1
for program in chromium node; do
    command -v "$program" >/dev/null || {
        echo "SKIPPED: $program is not installed"
        exit 77
    }
done
package() { # NAME VERSION SUM
    "$here/../support/npm.sh" "$@"
}
schema=$(package mutation-testing-report-schema 3.8.4 \
    b381bbd51e8bb7f3e967472a7a0948720c817732ccf04f927821d900f835c244ac3ed4416b85df3f3028cd829d88993f4cb6cd1046fb127f6dd3f6ef7ae3eec4) || exit $?
elements=$(package mutation-testing-elements 3.9.0 \
    dc6e068413bc59cfd9aea389e6e4fc01b33587f7b0f647d7d0c225a72e7d816bbf6a6319c8a1f74eb78a00e330c173626e164c38bec0de7e6716f85858b76d61) || exit $?
ajv=$(package ajv 6.12.6 \
    8f77d52e0bd3a39dbb6a7c98c893864d825b1bebe79d062f1349b99a691cd532be9f1029a6408b3082f4699e1d6e55423681928619be933138654ca4068320e2) || exit $?
node - "$ajv" "$schema" one.json two.json plain.json list.json run.json <<'JS' || complain "the schema"
const [ajvFolder, schemaFolder, ...reports] = process.argv.slice(2);
const fs = require("fs");
const read = (path) => JSON.parse(fs.readFileSync(path));
const Ajv = require(ajvFolder + "/dist/ajv.bundle.js");
const ajv = new Ajv({ allErrors: true });
const validate = ajv.compile(read(schemaFolder + "/dist/src/mutation-testing-report-schema.json"));
for (const report of reports) {
  if (!validate(read(report))) {
    console.log(report, ajv.errorsText(validate.errors));
    process.exitCode = 1;
  }
}
JS
node "$here/../report/mutation.mjs" "$(command -v chromium)" "$elements" one.json shop.sql >found 2>&1 ||
    complain "the viewer: $(head -n 20 found)"
finish
