#!/bin/sh
# Related failures are shown together: other invariants that the same steps break, and other failures with the same
# steps.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# A total that forgets what is deleted.
cat >stock.sql <<'SQL'
CREATE TABLE item (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, quantity int NOT NULL);
CREATE TABLE total (quantity int NOT NULL, items int NOT NULL);
INSERT INTO total VALUES (0, 0);
CREATE FUNCTION add_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE total SET quantity = quantity + NEW.quantity, items = items + 1;
    RETURN NULL;
END $$;
CREATE TRIGGER add_up AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION add_up();
SQL
cat >rules <<'END'
schema: stock.sql
settings: {examples: 20}
model: items = {}
rules:
  add:
    args: {quantity: 'integers(1, 9)'}
    sql: INSERT INTO item (quantity) VALUES (:quantity) RETURNING id
    target: items
    value: quantity
  drop: {args: {item: items}, sql: DELETE FROM item WHERE id = :item, model: items.pop(item)}
END
sum='sql: SELECT quantity FROM total, expect: sum(items.values())'
count='sql: SELECT items FROM total, expect: len(items)'

# The other invariants are checked, too. The report does not name one that holds, or one that is
# known to fail.
cat - rules >together.yaml <<'END'
machine: together
END
cat >>together.yaml <<END
invariants:
  rows: {sql: "SELECT id, quantity FROM item", expect: items}
  sum: {$sum}
  count: {$count}
  agrees: SELECT 1 FROM total WHERE items <> (SELECT count(*) FROM item)
  known: {$count, xfail: counted twice}
END
for options in "" "--no-pipeline" "--jobs 2"; do
    # shellcheck disable=SC2086 # words
    runs 1 run together.yaml --seed 1 --no-save $options
    out "FAIL  together  invariant sum after drop (step 2) gave 1, expected 0"
    out "  also     fails: invariant count, invariant agrees"
    [ "$(grep -c '^FAIL' out)" = 1 ] || complain "$said: $(cat out)"
done

# If the run finds the other invariant as a separate failure with the same steps, the report has one
# block.
cat - rules >apart.yaml <<'END'
machine: apart
END
cat >>apart.yaml <<END
invariants:
  sum: {$sum, every: 2}
  count: {$count, every: 3}
END
runs 1 run apart.yaml --seed 1
[ "$(grep -c '^FAIL' out)" = 1 ] || complain "$said: $(cat out)"
out "FAIL  apart  invariant sum after drop (step 2) gave 1, expected 0"
out "  also     fails with these steps: invariant count"
out "counterexamples/apart-sum.sql"
out "counterexamples/apart-count.sql"
out_lacks "also     fails: "

# With different steps, the report has two blocks, without cross-references.
cat - rules >steps.yaml <<'END'
machine: steps
END
cat >>steps.yaml <<END
invariants:
  few: {sql: SELECT count(*) FROM item, check: result.value < 2}
  count: {$count, every: 2}
END
runs 1 run steps.yaml --seed 1 --no-save
[ "$(grep -c '^FAIL' out)" = 2 ] || complain "$said: $(cat out)"
out_lacks "also  "
left_nothing
finish
