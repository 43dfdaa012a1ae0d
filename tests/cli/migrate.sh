#!/bin/sh
# A migration that can't be run again after it was killed half-way, and one that `down` does not undo.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
echo 'CREATE TABLE t (n integer);' >schema.sql
printf 'ALTER TABLE t ADD a integer;\nALTER TABLE t ADD b integer;\n' >up.sql
sed 's/ADD/ADD IF NOT EXISTS/' up.sql >again.sql
echo 'ALTER TABLE t DROP a;' >half.sql
echo 'ALTER TABLE t DROP a, DROP b;' >whole.sql

# machine MIGRATION
machine() {
    cat >m.yaml <<END
machine: m
schema: schema.sql
settings: {seed: 1, examples: 30, steps: 15}
migration: $1
rules:
  add: {sql: INSERT INTO t (n) VALUES (1)}
END
}

machine '{files: up.sql, cut: statement}'
runs 1 run m.yaml --no-save
out 'migrate_again()'
out 'raised duplicate_column'
machine '{files: up.sql, cut: statement, repeat: false}'
runs 0 run m.yaml --no-save
machine '{files: again.sql, cut: statement}'
runs 0 run m.yaml --no-save
machine '{files: up.sql, down: half.sql}'
runs 1 run m.yaml --no-save
out 'down()'
machine '{files: up.sql, down: whole.sql}'
runs 0 run m.yaml --no-save

# While a file runs again, what has been committed stays: the old program is gone, and `migrated` is not less.
echo 'CREATE TABLE t (n integer, gone integer);' >two.sql
printf 'ALTER TABLE t DROP COLUMN IF EXISTS gone;\nALTER TABLE t ALTER n SET DEFAULT 1;\n' >contract.sql
for rule in 'old: {until: contract, sql: INSERT INTO t (gone) VALUES (1)}' \
    "old: {sql: INSERT INTO t (gone) VALUES (1), raises: '\"undefined_column\" if migrated > 0 else None'}" \
    'add: {from: contract, sql: INSERT INTO t DEFAULT VALUES}'; do
    cat >back.yaml <<END
machine: back
schema: two.sql
settings: {seed: 1, examples: 30, steps: 15}
migration: {files: {contract: contract.sql}, cut: statement}
rules:
  $rule
  any: {sql: SELECT 1}
invariants:
  defaults: {precondition: migrated == 2, sql: "SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 't'::regclass", expect: "['1']"}
END
    runs 0 run back.yaml --no-save -v
    err 'contract_again()'
done

# A sequence that a step drops is not read any more where a failure is shrunk.
echo 'CREATE TABLE t (id serial); CREATE TABLE u (n int UNIQUE);' >sequence.sql
cat >sequence.yaml <<END
machine: sequence
schema: sequence.sql
settings: {seed: 1}
rules:
  drop: {limit: 1, sql: DROP TABLE t}
  add: {args: {n: "integers(1, 1000)"}, sql: INSERT INTO u VALUES (:n)}
END
runs 1 run sequence.yaml --no-save
out '2> add(n=1)'

# --migrate: a pinned example calls it, and the commands that load the machine know it.
cat >pinned.yaml <<END
machine: pinned
schema: schema.sql
settings: {seed: 1, examples: 5, steps: 15}
rules:
  add: {sql: INSERT INTO t (n) VALUES (1)}
  read: {sql: 'SELECT count(*) FROM t', expect: '[(0,)]'}
examples:
  - name: one
    steps: |
      migrate()
      read()
END
runs 2 check pinned.yaml
err "unknown rule 'migrate'"
runs 0 check pinned.yaml --migrate up.sql
out '3 rules'
runs 2 check pinned.yaml --migrate missing.sql
err "pgfsm: --migrate: can't open missing.sql"
runs 0 mutate pinned.yaml --migrate up.sql --list
out 'mutants'
runs 1 run pinned.yaml --migrate up.sql --no-save

# A pinned example runs the steps of the migration as written, each at its time.
machine '{files: up.sql}'
cat >>m.yaml <<'END'
examples:
  - {name: between, steps: "add()\nmigrate()\nadd()"}
END
runs 0 run m.yaml --no-save --examples 0
out '1 example, 3 steps'
cat >>m.yaml <<'END'
  - name: twice
    steps: |
      migrate()
      migrate()
END
runs 2 run m.yaml --no-save --examples 0
err "m.yaml:12:7: error: step 2 of the pinned example 'twice' can't run: the migration is at another step here"
machine '{files: {migration: up.sql, switch: , migrate: again.sql}}'
cat >>m.yaml <<'END'
  old: {until: migration, sql: 'SELECT 1 / (1 - count(*)) FROM pg_attribute WHERE attname = ''a'' AND attrelid = ''t''::regclass'}
  new: {from: switch, sql: SELECT a FROM t}
examples:
  - {name: early, steps: "new()"}
END
runs 2 run m.yaml --no-save
err "can't run: the step of the migration that it waits for (\`from\`) has not run yet here"
sed -i 's/"new()"/"migration()\\nold()"/' m.yaml
runs 2 run m.yaml --no-save
err "can't run: the step of the migration that ends it (\`until\`) has begun here"
sed -i 's/"migration.*"/"old()\\nmigration()\\nnew()\\nmigrate()\\nnew()"/' m.yaml
runs 0 run m.yaml --no-save --stats
out 'the migration was at another step ('
out_lacks 'precondition false'
sed -i 's/until: migration/&, from: switch/' m.yaml
runs 2 check m.yaml
# shellcheck disable=SC2016 # no expansions
err 'm.yaml:7:16: error: the rule can never run: migration begins before the step that `from` names has ended'

machine '{files: up.sql}'
runs 2 run m.yaml --migrate up.sql
# shellcheck disable=SC2016 # no expansions
err '--migrate: m.yaml has the key `migration`; leave out one of them'
left_nothing
finish
