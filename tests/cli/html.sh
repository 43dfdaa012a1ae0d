#!/bin/sh
# --report html=FILE: how a browser shows it, in three sizes, light and dark, with texts in it that try to be scripts.
# Without Chromium, node or axe-core it is skipped; without axe-core, the other checks run first. With an argument,
# every size is checked in both themes, otherwise the middle one in the dark theme and the others in the light one.
set -u
every_size=${1:-}
here=$(cd "$(dirname "$0")" && pwd)
for program in chromium node; do
    command -v "$program" >/dev/null || {
        echo "SKIPPED: $program is not installed"
        exit 77
    }
done
. "$here/../pg/server.sh"
. "$here/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

status=0
axe=$("$here/../support/npm.sh" axe-core 4.14.1 \
    1477dafa598d8d065f273d6af302aa203c02e83131707b7fa648cd41bd3d6b734f8c22a0dab86ee6a6f64b8afbe804b214d36db85a2826965edfb3a0b9d546b5) || status=$?
case $status in
0) axe=$axe/axe.min.js ;;
77) ;;
*) exit "$status" ;;
esac

cat >notes.sql <<'EOF_SQL'
CREATE TABLE note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, owner text, body text);
CREATE FUNCTION add_note(who text, what text) RETURNS int LANGUAGE sql AS
    $$INSERT INTO note (owner, body) VALUES (who, replace(what, '<', '&lt;')) RETURNING id$$;
EOF_SQL
cat >notes.yaml <<'YAML'
machine: notes
schema: notes.sql
model: notes = {}
initialize:
  - {sql: SELECT 1}
rules:
  add:
    args:
      who: sampled_from(["ann", "</script><!--\u202e\x07"])
      what: sampled_from(["plain", "</script><script>document.title='taken'</script>", 5000 * "long "])
    as: {settings: {app.who: who}}
    sql: SELECT add_note(:who, :what)
    model: notes[result.value] = (who, what)
    target: ids
  look: {sql: "SELECT '<!--<script>'"}
  never: {precondition: len(notes) > 900, sql: SELECT 1}
invariants:
  kept: {sql: "SELECT id, owner, body FROM note", expect: notes, when: end}
  counted: {sql: SELECT count(*) FROM note, expect: len(notes)}
examples:
  - name: a long way
    steps: |
      look()
      add(who="</script><!--\u202e\x07", what="</script><script>document.title='taken'</script>")
      look()
      look()
settings: {examples: 10, steps: 6, seed: 1}
YAML
cat >good.yaml <<'YAML'
machine: good
model: n = 0
rules:
  up: {sql: SELECT 1, model: n += 1}
  down: {precondition: n > 0, sql: SELECT 1, model: n -= 1}
  fails: {sql: SELECT 1/0, raises: error("division_by_zero"), weight: 0.2}
invariants:
  one: {sql: SELECT 1, expect: 1}
settings: {examples: 20, steps: 20, seed: 1}
YAML

{
    sed '/^settings/d' notes.yaml
    yes '      look()' | head -n 120
    echo 'settings: {examples: 10, steps: 6, seed: 1, shrink: {executions: 0}}'
} >long.yaml

# A failure that is noticed two steps late.
runs 1 run --no-save --examples 0 --report html=late.html notes.yaml
set -- late.html '{"guilty": true,
    "verdict": "notes fails: invariant kept after look (step 4): id=1 has body \"&lt;/script>&lt;s…, expected \"</script><script>….",
    "texts": ["Model and database differ from step 2 on.", "Invariant kept says so after step 4.", "since step 2",
        "</script><script>document.title", "who=\"</script><!--\\u202e\\x07\"", "The pinned example", "before: {}", "Copy run"]}'

# The page as a time machine: the changes that each step made to tables, if the account has them.
cat >tables.json <<'JSON'
{"tables": {
    "0": [{"name": "public.person", "columns": ["name"], "key": [0], "rows": [{"a": ["ann"]}]}, {"name": "public.huge", "why": "too large"}],
    "2": [{"name": "public.note", "columns": ["id", "body", "seen"], "key": [0], "rows": [{"a": [{"t": "1", "n": "ids_1"}, "<b>", null]}, {"a": ["2", "two", "f"]}]}],
    "3": [{"name": "public.note", "columns": ["id", "body", "seen"], "key": [0], "rows": [{"b": [{"t": "1", "n": "ids_1"}, "<b>", null], "a": ["1", "<b>", "t"]}], "more": 7}],
    "4": [{"name": "public.note", "columns": ["id", "body", "seen"], "key": [0], "rows": [{"b": ["2", "two", "f"]}]}]},
 "answers": {"1": "a word from look", "2": "1"},
 "source": {"file": "notes.yaml", "line": 20, "text": "expect: notes", "names": [["notes", "{1: <\u0021--}"]]}}
JSON
node "$here/../report/add.mjs" late.html tables.json time.html
kept='kept: {sql: \"SELECT id, owner, body FROM note\", expect: notes, when: end}'
set -- "$@" time.html '{"guilty": true,
    "verdict": "notes fails: invariant kept after look (step 4): id=1 has body \"&lt;/script>&lt;s…, expected \"</script><script>….",
    "texts": ["Why the model expects that", "notes.yaml:20"],
    "time": {"name": "notes-kept", "source": "'"$kept"'", "find": "word from LOOK", "found": 1, "steps": {
        "0": ["Table public.person 1 row, which no step changes", "Table public.huge not read: too large", "there at the start"],
        "1": ["Table public.note 0 rows, as before", "The model stays as it is"],
        "2": ["Table public.note 2 rows, 2 changed here", "new ids_1", "new 2 two f"],
        "3": ["Table public.note 2 rows, 1 changed here", "changed since step 2 1 <b> before: NULL after: t", "since step 2 2 two f", "and 7 changed rows more"],
        "4": ["Table public.note 1 row, 1 changed here", "gone 2 two f", "since step 2 1 <b> t since 3"]},
      "hidden": {"1": ["ids_1"], "3": ["gone"]}}}'

# Of a long file, only the relevant lines; of 40 steps with wide rows, only the columns that fit.
{
    sed '/^examples/,$d' notes.yaml
    yes '# A line that says nothing, of which there are many in this file.' | head -n 2000
    sed -n '/^examples/,$p' notes.yaml
} >big.yaml
runs 1 run --no-save --examples 0 --report html=big.html big.yaml
set -- "$@" big.html '{"plain": true, "verdict": "notes fails: invariant kept after look (step 4): id=1 has body \"&lt;/script>&lt;s…, expected \"</script><script>….",
    "texts": [], "time": {"name": "notes-kept", "source": "'"$kept"'", "cut": true, "find": "AFTER LOOK", "found": 2, "steps": {"0": [], "3": [], "4": []}}}'
{
    echo "CREATE TABLE wide (id int PRIMARY KEY"
    for column in a b c d e f g h i j k l m n o p q r s t u v w x; do
        echo ", ${column}_column text NOT NULL DEFAULT 'column $column of the table'"
    done
    echo ', n int NOT NULL DEFAULT 1);'
} >wide.sql
cat >wide.yaml <<'YAML'
machine: wide
schema: wide.sql
model: ids = set()
rules:
  add: {args: {id: "integers(1, 99)"}, sql: "INSERT INTO wide (id) VALUES (:id) RETURNING *", raises: None, model: ids.add(id)}
  turn: {args: {id: sampled_from(ids)}, sql: "UPDATE wide SET n = -n WHERE id = :id", affects: 1}
invariants:
  negative: {sql: SELECT * FROM wide WHERE n < 0}
examples:
  - name: long
    steps: |
YAML
{
    seq 39 | sed 's/.*/      add(id=&)/'
    echo '      turn(id=7)'
} >>wide.yaml
runs 1 run --no-save --examples 0 --report html=wide.html wide.yaml
set -- "$@" wide.html '{"guilty": true, "plain": true, "verdict": "wide fails: invariant negative after turn (step 40): unexpected (id=7, a_column=\"column a of the table\", …).",
    "texts": ["All 26 columns", "since step 407-1"]}'

# Several failures, one at a time.
cat >ways.yaml <<'YAML'
machine: ways
rules:
  one: {sql: SELECT 1, expect: 2}
  two: {sql: SELECT 2, expect: 3}
  three: {sql: SELECT 1/0}
settings: {seed: 1}
YAML
runs 1 run --no-save --max-failures 3 --report html=ways.html ways.yaml
set -- "$@" ways.html '{"verdict": "ways fails in 3 ways. First, rule one (step 1) gave 1, expected 2.", "texts": [],
    "index": ["rule one (step 1) gave 1, expected 2", "rule two (step 1) gave 2, expected 3", "rule three (step 1) raised division_by_zero: division by zero"]}'

# Together with a machine that passes. Long texts are truncated, and their length is shown.
runs 2 run --no-save --report html=both.html notes.yaml good.yaml missing.yaml
set -- "$@" both.html '{"once": true, "verdict": "1 of 3 machines fails: notes.",
    "texts": ["machines", "missing.yaml", "No such file", "division_by_zero", "Which rule followed which", "never ran"]}'

runs 0 run --no-save --report html=good.html good.yaml
out "ok  good"
set -- "$@" good.html '{"once": true, "verdict": "good holds: 20 examples with 400 steps found nothing wrong.",
    "texts": ["Which rule followed which", "precondition false", "Lengths of examples", "The second half of the run saw nothing new."],
    "pictures": "Rules: 3 of 3 seen after 20 examples; Pairs of rules: 9 of 9 seen after 20 examples; Errors of rules: 1 seen after 20 examples"}'

# Pictures of what arguments were, at each size.
cat >drawn.yaml <<'YAML'
machine: drawn
model: made = []
rules:
  make:
    args: {name: 'sampled_from(["<b>ann</b>", "bob"])', size: 'integers(-500, 1000000)', note: none() | text()}
    sql: 'SELECT :name::text, :size::int, :note::text'
    model: made.append(len(made))
  use: {args: {which: made}, sql: 'SELECT 1 WHERE :which > 0'}
settings: {examples: 40, steps: 20, seed: 1}
YAML
runs 0 run --no-save --open-passing 2 --report html=drawn.html drawn.yaml
set -- "$@" drawn.html '{"verdict": "drawn holds: 40 examples with 800 steps found nothing wrong.",
    "texts": ["Discovery over time", "Values of arguments", "<b>ann</b>", "2nd newest", "Passing examples", "At the start", "20 steps of 2 rules"],
    "pictures": "Rules: 2 of 2 seen after 40 examples; Pairs of rules: 4 of 4 seen after 40 examples; make name, by value; make size, by size; make note, by length; make note, by value; use which, items by age"}'

# However much there is to tell, the file stays small.
# shellcheck disable=SC2046 # words
runs 1 run --no-save --report html=many.html --examples 0 $(yes long.yaml | head -n 6)
set -- "$@" many.html '{"once": true, "plain": true, "verdict": "6 of 6 machines fail: notes, notes, notes, notes, …",
    "texts": ["Some details are left out"]}'

# Mutants with texts that try to be scripts.
cat >shop.sql <<'EOF_SQL'
CREATE TABLE item (id int PRIMARY KEY, "</script><script>document.title='taken'</script>" text NOT NULL,
    CONSTRAINT "<!--" CHECK (id < 100), n int DEFAULT 0);
EOF_SQL
cat >shop.yaml <<'YAML'
machine: shop
schema: shop.sql
model: items = set()
rules:
  add: {args: {id: 'integers(1, 9)'}, sql: "INSERT INTO item VALUES (:id, '')", raises: unique_violation if id in items else None, model: items.add(id)}
invariants:
  items: {sql: SELECT id FROM item, expect: items}
mutants: {0123abcd: long ago}
settings: {steps: 12, seed: 1}
YAML
runs 0 mutate --examples 5 --jobs 1 --only 'drop-*' --report html=mutants.html shop.yaml
set -- "$@" mutants.html '{"once": true, "verdict": "shop misses 3 of 4 planted faults.",
    "mutants": {"survived": 3, "killed": 1, "equivalent": 1},
    "texts": ["</script><script>document.title", "1 of 4 that were graded are killed", "only this constraint refuses", "A rule that kills", "of 4 graded", "shop.sql:1", "0123abcd, which", "Copy --kill"]}'

# Two sessions, after a step that both need.
cat >account.sql <<'EOF_SQL'
CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
CREATE FUNCTION pay(account_id int, amount int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    held int := (SELECT balance FROM account WHERE id = account_id);
BEGIN
    UPDATE account SET balance = held - amount WHERE id = account_id;
    RETURN held - amount;
END $$;
EOF_SQL
cat >account.yaml <<'YAML'
machine: account
schema: account.sql
model: balance = {}
rules:
  open: {args: {id: "integers(1, 2)"}, sql: "INSERT INTO account VALUES (:id, 9)", raises: unique_violation if id in balance else None, model: "balance[id] = 9"}
  pay: {args: {id: sampled_from(balance)}, sql: "SELECT pay(:id, 1)", expect: "balance[id] - 1", model: "balance[id] -= 1"}
settings: {seed: 1}
YAML
runs 1 run --no-save --sessions 2 --report html=race.html account.yaml
set -- "$@" race.html '{"guilty": true, "verdict": "account fails: 2 sessions: A1 pay, B1 pay: no order explains the answers.",
    "texts": ["The sessions begin after step 1.", "Sessions side by side", "Lost update: B1 overwrote what A1 had written to account.", "points in an example", "INSERT INTO account VALUES (", "As found: "],
    "race": {"sessions": 2, "waits": 1,
        "lines": ["A1 SELECT pay(1, 1) answer: → 1 row: 8 contradicted below", "B1 SELECT pay(1, 1)", "B1 waits for a lock of A",
            "A1 COMMIT", "B1 has the lock", "B1 answer: → 1 row: 8 contradicted below", "B1 COMMIT"],
        "orders": ["Order A1 → B1 B1 (rule pay) should give 7, but gave 8", "Order B1 → A1 A1 (rule pay) should give 7, but gave 8"]}}'

EVERY_SIZE=${every_size} node "$here/../report/check.mjs" "$(command -v chromium)" "$axe" "$@" >found 2>&1 || {
    complain "the pages:"
    head -n 30 found
}
left_nothing
if [ -z "$axe" ] && [ "$checks_failed" = 0 ]; then
    exit 77
fi
finish
