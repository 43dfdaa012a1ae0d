#!/bin/sh
# The shortest sequence, of several examples of one failure and by several rules: the report, its files, the same for
# every --jobs.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# The simpler of two rules needs two more steps, and the other one comes after it.
cat >labels.sql <<'END'
CREATE TABLE shelf (id serial PRIMARY KEY);
CREATE TABLE box (id serial PRIMARY KEY, shelf int NOT NULL REFERENCES shelf);
CREATE TABLE label (id serial PRIMARY KEY, text text NOT NULL);
CREATE TABLE copy (id int PRIMARY KEY, text text NOT NULL);
CREATE FUNCTION copy_label() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'INSERT' THEN INSERT INTO copy VALUES (NEW.id, NEW.text);
  ELSE UPDATE copy SET text = NEW.text; END IF;
  RETURN NULL; END $$;
CREATE TRIGGER copy_label AFTER INSERT OR UPDATE ON label FOR EACH ROW EXECUTE FUNCTION copy_label();
END
cat >labels.yaml <<'END'
machine: labels
schema: labels.sql
model: |
  shelves = []
  boxes = {}
  labels = {}
rules:
  add_shelf:
    sql: INSERT INTO shelf DEFAULT VALUES RETURNING id
    target: shelves
  add_box:
    args: {shelf: shelves}
    sql: INSERT INTO box (shelf) VALUES (:shelf) RETURNING id
    target: boxes
    value: shelf
  add_label:
    sql: INSERT INTO label (text) VALUES ('new') RETURNING id
    target: labels
    value: '"new"'
  point_at_box:
    args: {label: labels, box: boxes}
    let: {text: '"box %d" % box'}
    sql: UPDATE label SET text = :text WHERE id = :label
    model: labels[label] = text
  rename:
    args: {label: labels, text: 'sampled_from(["a", "b"])'}
    sql: UPDATE label SET text = :text WHERE id = :label
    model: labels[label] = text
invariants:
  copies: {sql: "SELECT id, text FROM copy", expect: labels}
END

# An order gets boxes one after the other, or is placed with enough of them.
cat >orders.sql <<'END'
CREATE TABLE orders (id serial PRIMARY KEY, boxes int, paid boolean DEFAULT false, status text DEFAULT 'open');
CREATE FUNCTION pay(o int) RETURNS void LANGUAGE sql
    AS $$ UPDATE orders SET paid = true, status = CASE WHEN boxes > 3 THEN 'open' ELSE 'paid' END WHERE id = o $$;
END
cat >orders.yaml <<'END'
machine: orders
schema: orders.sql
rules:
  place: {args: {boxes: "integers(1, 6)"}, sql: INSERT INTO orders (boxes) VALUES (:boxes) RETURNING id, target: ids}
  add_box: {args: {o: ids}, sql: UPDATE orders SET boxes = boxes + 1 WHERE id = :o}
  pay: {args: {o: ids}, sql: "SELECT pay(:o)"}
invariants:
  paid: {sql: "SELECT id FROM orders WHERE paid AND status <> 'paid'"}
END
for seed in 1 2 3; do
    runs 1 run labels.yaml --seed $seed --no-save
    out "shrunk to 3 steps"
    runs 1 run orders.yaml --seed $seed --no-save
    out "shrunk to 2 steps"
done

# Six rows are too many, and so is a row whose value is not a multiple of five. The first example has only the simplest
# values.
cat >pile.sql <<'END'
CREATE TABLE pile (n int);
END
cat >pile.yaml <<'END'
machine: pile
schema: pile.sql
rules:
  a: {sql: INSERT INTO pile VALUES (NULL)}
  b: {args: {x: "integers(0, 1000)"}, sql: "INSERT INTO pile VALUES (:x)"}
invariants:
  right:
    sql: SELECT count(*) FILTER (WHERE n IS NULL) < 6 AND count(*) FILTER (WHERE n % 5 <> 0) = 0 FROM pile
    expect: True
END
one_trace() {
    [ "$(find .pgfsm -type f ! -name .gitignore | wc -l)" = 1 ] || complain "$said: traces: $(find .pgfsm -type f)"
}
seed=0
until [ $seed = 10 ] || { [ $seed -gt 0 ] && ! grep -qF "found in example 1 " out; }; do
    seed=$((seed + 1))
    rm -rf .pgfsm counterexamples
    runs 1 run pile.yaml --seed $seed
done
out "; shrunk to 1 step in"
out_lacks "found in example 1 "
[ "$(ls counterexamples)" = pile-right.sql ] || complain "$said: scripts: $(ls counterexamples)"
out "counterexamples/pile-right.sql"
one_trace
cp out one
runs 1 replay counterexamples/pile-right.sql
out "not ok 1 - pile: invariant right"
! grep -q "VALUES (NULL)" counterexamples/pile-right.sql || complain "the script is not of the shortest sequence"
for option in '--jobs 3' --no-pipeline; do
    rm -r .pgfsm counterexamples
    # shellcheck disable=SC2086 # words
    runs 1 run pile.yaml --seed $seed $option
    for file in one out; do
        sed -E "s/ $option//; s/[0-9.,]+ (s|ms)\b/T/g; s/[0-9,]* steps\/s/S/; /answers arrive/d" $file >$file.timeless
    done
    diff one.timeless out.timeless >other || complain "$said: another report: $(cat other)"
done

# A longer form that an earlier run found is replaced.
rm -r .pgfsm counterexamples
runs 1 run pile.yaml --seed $seed --examples 1
out "shrunk to 6 steps"
runs 1 run pile.yaml --seed $seed
out "; shrunk to 1 step in"
one_trace
left_nothing
finish
