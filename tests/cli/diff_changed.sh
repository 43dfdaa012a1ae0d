#!/bin/sh
# `pgfsm diff` compares the catalogs first: it says what differs, most requests are about it, and what never had a row is
# told next to the verdict.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

# Each kind of part; what only has another name, or stands elsewhere, is the same.
cat >old.sql <<'END_SQL'
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN amount AS integer CHECK (VALUE > 0);
CREATE TABLE a_column (a int, b int);
CREATE TABLE a_constraint (a int CHECK (a > 0));
CREATE TABLE a_index (a int);
CREATE UNIQUE INDEX one ON a_index (a) WHERE a > 0;
CREATE TABLE a_policy (a int);
ALTER TABLE a_policy ENABLE ROW LEVEL SECURITY;
CREATE POLICY p ON a_policy USING (a > 0);
CREATE TABLE a_privilege (a int);
CREATE TABLE a_trigger (a int);
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER t BEFORE INSERT ON a_trigger FOR EACH ROW EXECUTE FUNCTION f();
CREATE TABLE same (a int CONSTRAINT c CHECK (a > 0), b int);
CREATE UNIQUE INDEX two ON same (b);
CREATE INDEX three ON same (a);
CREATE VIEW v AS SELECT a FROM same;
CREATE FUNCTION g(n int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'SELECT 1';
END_SQL
sed -e "s/'good', 'bad'/'good', 'bad', 'none'/" -e 's/VALUE > 0/VALUE > 1/' -e 's/a_column (a int, b int)/a_column (b int, a int DEFAULT 5)/' \
    -e 's/(a int CHECK (a > 0))/(a int CHECK (a > 1))/' -e 's/one ON a_index (a) WHERE a > 0/one ON a_index (a)/' \
    -e 's/USING (a > 0)/USING (a > 1)/' -e 's/^CREATE TABLE a_trigger.*/GRANT SELECT ON a_privilege TO public;\n&/' \
    -e 's/BEFORE INSERT ON/AFTER INSERT ON/' -e 's/CONSTRAINT c/CONSTRAINT d/' -e 's/INDEX two/INDEX deux/' -e '/INDEX three/d' \
    -e 's/SELECT a FROM same/SELECT a + 0 AS a FROM same/' -e "s/RETURNS int LANGUAGE sql AS 'SELECT 1';/RETURNS int LANGUAGE sql AS 'SELECT 2';/" \
    -e '/gone()/d' old.sql >new.sql
echo "CREATE FUNCTION made() RETURNS int LANGUAGE sql AS 'SELECT 1';" >>new.sql
cat >m.yaml <<'END_YAML'
machine: m
rules: {one: {sql: SELECT 1}}
END_YAML
runs 0 diff m.yaml --schema old.sql --new-schema new.sql --seed 1 --examples 1 --steps 1 --report json=report.json
jq -r 'select(.compared) | .compared.changed[] | "\(.object): \(if .only then "only \(.only)" else .parts | join(", ") end)"' \
    report.json >changed
cat >expected <<'END'
function public.g(integer): definition
function public.gone(): only before
function public.made(): only after
table public.a_column: column
table public.a_constraint: constraint
table public.a_index: index
table public.a_policy: policy
table public.a_privilege: privilege
table public.a_trigger: trigger
type public.amount: definition
type public.mood: label
view public.v: definition
END
diff expected changed || complain "what changed"
out "changed        function public.g(integer) (definition), function public.gone() (only before), function public.made() (only after)"

# Twenty tables, one of which changes: most steps are about it and the table that it refers to.
awk 'BEGIN {
    print "CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL);"
    print "CREATE TABLE jobs (id int PRIMARY KEY, person int NOT NULL REFERENCES people ON DELETE CASCADE);"
    for (i = 1; i < 20; i++) print "CREATE TABLE t" i " (id int PRIMARY KEY, n int);"
}' >many.sql
echo 'ALTER TABLE jobs ADD COLUMN note text;' >note.sql
runs 0 diff --schema many.sql --apply note.sql --seed 1 --examples 32 --steps 50 --report json=report.json
out "changed        table public.jobs (column)"
share=$(jq -s 'map(select(.kind == "rule")) | (map(select(.name | test("jobs|people")) | .count) | add) * 100 / (map(.count) | add) | floor' report.json)
[ "$share" -ge 50 ] || complain "only $share % of the steps are about what changed"
jq -s -e 'map(select(.compared))[0].compared | .migrated >= 8 and .migrated_on_rows >= .migrated * 0.7' report.json >count ||
    complain "the migration has no rows"
out_lacks "no rows"

# What never has a row is told.
cat >never.sql <<'END_SQL'
CREATE TABLE never (a int CHECK (a IS NULL AND a > 0) NOT NULL);
END_SQL
echo 'ALTER TABLE never ADD COLUMN b int;' >more.sql
runs 0 diff --schema never.sql --apply more.sql --seed 1 --examples 5 --steps 5 --report json=report.json
out "no rows        in tables of what changed: table public.never"
jq -s -e 'map(select(.compared))[0].compared.never_filled == [{table: "table public.never", why: "changed"}]' report.json >filled ||
    complain "never filled: $(cat filled)"
echo 'CREATE TABLE other (id int PRIMARY KEY);' >other.sql
echo 'DROP TABLE other;' >no_other.sql
runs 0 diff --schema never.sql --apply other.sql --down no_other.sql --seed 1 --examples 4 --steps 4 --no-save
out "; it changes no table that both schemas have"
left_nothing
finish
