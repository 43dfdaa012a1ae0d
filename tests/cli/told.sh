#!/bin/sh
# What a report tells of a failure beside what differs: what each step was answered, the line of the machine with the
# values of its names, and since when rows are there, or gone.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

# Equal steps share a line with their answers.
cat >ticks.sql <<'END_SQL'
CREATE TABLE ticks (n int NOT NULL);
INSERT INTO ticks VALUES (0);
CREATE FUNCTION tick() RETURNS int LANGUAGE sql
AS $$ UPDATE ticks SET n = CASE WHEN n >= 9 THEN 0 ELSE n + 1 END RETURNING n $$;
END_SQL
cat >ticks.yaml <<'END_YAML'
machine: ticks
schema: ticks.sql
model: |
  n = 0
  step = 1
rules:
  tick: {sql: SELECT tick(), model: n += step}
invariants:
  n: {sql: SELECT n FROM ticks, expect: n}
END_YAML
runs 1 run ticks.yaml --seed 1 --no-save
out '  1-10> tick()   x10   -> 1, 2, 3 … 9, 0'
out '     why the model expects 10'
out '       ticks.yaml:9   n: {sql: SELECT n FROM ticks, expect: n}'
out '       n   10'
out_lacks '       step   '
out_lacks '  stated '
runs 1 run ticks.yaml --seed 1 --no-save -v
out '   9  tick()   -> 9'
out '  10> tick()   -> 0'

# Rows. The model is right after each step but the last one.
cat >shelf.sql <<'END_SQL'
CREATE TABLE shelf (item int PRIMARY KEY, CHECK (item > 0));
CREATE FUNCTION take(wanted int) RETURNS void LANGUAGE sql AS $$ DELETE FROM shelf WHERE item <> wanted $$;
END_SQL
cat >shelf.yaml <<'END_YAML'
machine: shelf
schema: shelf.sql
model: items = set()
rules:
  put: {args: {i: "integers(0, 3)"}, sql: INSERT INTO shelf VALUES (:i), model: items.add(i),
    raises: "check_violation if i == 0 else unique_violation if i in items else None"}
  take: {args: {i: sampled_from(items)}, sql: SELECT take(:i), model: items.remove(i)}
invariants:
  all: {sql: SELECT item FROM shelf, expect: items}
examples:
  - name: both
    steps: |
      put(i=0)
      put(i=1)
      put(i=2)
      put(i=3)
      take(i=3)
END_YAML
runs 1 run shelf.yaml --examples 0 --no-save
out '  1  put(i=0)    raises check_violation'
out '  4  put(i=3)    INSERT 0 1'
out '  5> take(i=3)   -> None'
out '         missing      1   came with step 2, gone since step 5'
out '         missing      2   came with step 3, gone since step 5'
out '         unexpected   3   there since step 4; step 5 should remove it'
out '       items   set([1, 2])'

# What was never right says nothing of when.
sed -i 's/SELECT item FROM shelf/SELECT item + 7 FROM shelf/' shelf.yaml
runs 1 run shelf.yaml --examples 0 --no-save
out '         missing      1'
out_lacks '1   came with'
out '         unexpected   8   came with step 2'

# Of rows beyond those that are kept of an answer, nothing is known.
cat >big.sql <<'END_SQL'
CREATE TABLE big (id int PRIMARY KEY);
INSERT INTO big SELECT generate_series(1, 400);
END_SQL
cat >big.yaml <<'END_YAML'
machine: big
schema: big.sql
model: |
  ids = set(range(1, 401))
rules:
  shrink: {sql: DELETE FROM big WHERE id > 5, model: "ids = set(range(1, 6))"}
  lose: {sql: DELETE FROM big WHERE id = 3}
invariants:
  ids: {sql: SELECT id FROM big, expect: ids}
examples:
  - {name: both, steps: "shrink()\nlose()"}
END_YAML
runs 1 run big.yaml --examples 0 --no-save
out '         missing      3   gone since step 2'

# Rows that are compared by their place may be other rows.
cat >order.sql <<'END_SQL'
CREATE TABLE pair (id int PRIMARY KEY, v int);
INSERT INTO pair VALUES (1, 1), (2, 2);
END_SQL
cat >order.yaml <<'END_YAML'
machine: order
schema: order.sql
rules:
  swap: {sql: UPDATE pair SET v = 3 - v}
invariants:
  values: {sql: SELECT v FROM pair ORDER BY id, expect: "[1, 2]"}
examples:
  - {name: once, steps: swap()}
END_YAML
runs 1 run order.yaml --examples 0 --no-save
out_lacks 'did not change it'
out '       changed  pair: id=1, v=1 -> 2'

# A long line is folded at once.
cat >long.yaml <<'END_YAML'
machine: long
rules:
  long: {sql: "SELECT repeat('ab cd ', 200000)", expect: "'ab cd ' * 200001"}
END_YAML
runs 1 run long.yaml --examples 1 --no-save -v
left_nothing
finish
