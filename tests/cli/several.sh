#!/bin/sh
# Several bugs in one schema: each is found, shrunk, kept and reported separately.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >shop.sql <<'END'
CREATE TABLE orders (n int);
CREATE FUNCTION add_order(n int) RETURNS void LANGUAGE sql AS $$ INSERT INTO orders VALUES (n) $$;
CREATE FUNCTION order_count() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM orders $$;
CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS $$ SELECT n * 2 $$;
END
cat >shop.yaml <<'END'
machine: shop
schema: shop.sql
model: count = 0
rules:
  add:
    args: {n: "integers(0, 9)"}
    sql: SELECT add_order(:n)
    model: count += 1
  double:
    args: {n: "integers(0, 100)"}
    sql: SELECT twice(:n)
    expect: 2 * n
invariants:
  counted: {sql: SELECT order_count(), expect: count}
END
# The third order counts twice; fifty and more are doubled wrongly.
cat >count.sql <<'END'
CREATE OR REPLACE FUNCTION order_count() RETURNS bigint LANGUAGE sql AS $$
    SELECT count(*) + (count(*) >= 3)::int FROM orders
$$;
END
cat >twice.sql <<'END'
CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS $$ SELECT n * 2 + (n >= 50)::int $$;
END
stored() { find .pgfsm -name '*.trace' | wc -l; }
both() {
    [ "$(grep -c '^FAIL' out)" = 2 ] || complain "$said: $(grep -c '^FAIL' out) failures, not 2"
    out "FAIL  shop  invariant counted after add (step 3) gave 4, expected 3"
    out "FAIL  shop  rule double (step 1)"
    out "  1> double(n=50)"
    grep -qE '^  (1-)?3> add\(n=0\)' out || complain "$said: not the simplest order: $(cat out)"
}

runs 0 run shop.yaml --seed 1 --examples 20
for seed in 1 2 3; do
    rm -rf .pgfsm counterexamples
    runs 1 run shop.yaml --seed $seed --apply count.sql --apply twice.sql
    both
    out "counterexamples/shop-counted.sql"
    out "counterexamples/shop-double-expect.sql"
    [ "$(stored)" = 2 ] || complain "$said: $(stored) traces are kept, not 2"
done
runs 1 replay counterexamples/shop-counted.sql
runs 1 replay counterexamples/shop-double-expect.sql

# As many as are wanted, however long that takes.
mv .pgfsm kept
runs 1 run shop.yaml --seed 1 --apply count.sql --apply twice.sql --max-failures 1 --no-save
[ "$(grep -c '^FAIL' out)" = 1 ] || complain "$said: $(grep -c '^FAIL' out) failures, not 1"
grep -q '^1 failure in [0-9]* of 100 examples' out || complain "$said: no total"
out "    ended early    soon after the first failure; --max-failures N goes on until there are N"
runs 1 run shop.yaml --seed 1 --apply count.sql --apply twice.sql --max-failures 3 --no-save
grep -q '^2 failures in 100 examples' out || complain "$said: not all examples ran"
out_lacks "ended early"
sed 's/^machine: shop/machine: other/' shop.yaml >other.yaml
runs 1 run shop.yaml other.yaml --seed 1 --apply count.sql --max-failures 1 --no-save
out "2 machines: 2 failed"
out "  FAIL  shop   invariant counted after add (step 3) gave 4, expected 3"
out "  FAIL  other  invariant counted after add (step 3) gave 4, expected 3"
mv kept .pgfsm
runs 1 run shop.yaml --last-failed --apply count.sql --apply twice.sql
both
[ "$(stored)" = 2 ] || complain "$said: $(stored) traces are kept, not 2"

# One is mended: the other stays.
runs 1 run shop.yaml --last-failed --apply count.sql
out "FAIL  shop  invariant counted after add (step 3) gave 4, expected 3"
out_lacks "rule double"
[ "$(stored)" = 1 ] || complain "$said: $(stored) traces are kept, not 1"
grep -q '^failure =invariant%20counted$' .pgfsm/shop/*.trace || complain "$said: another trace is kept"

# A trace that now fails otherwise first is not taken for mended: orders that are refused hide the count.
cat >refuse.sql <<'END'
CREATE FUNCTION grumble() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM orders $$;
END
sed 's/^  counted:/  few: {sql: SELECT grumble() < 2, expect: True}\n&/' shop.yaml >few.yaml
runs 1 run few.yaml --last-failed --apply count.sql --apply refuse.sql
out "FAIL  shop  invariant few after add (step 2)"
out "FAIL  shop  invariant counted after add (step 3) gave 4, expected 3"
[ "$(stored)" = 2 ] || complain "$said: $(stored) traces are kept, not 2"

runs 1 run few.yaml --last-failed --apply refuse.sql
[ "$(stored)" = 1 ] || complain "$said: $(stored) traces are kept, not 1"
runs 0 run shop.yaml --last-failed
[ "$(stored)" = 0 ] || complain "$said: what holds is still kept"
left_nothing
finish
