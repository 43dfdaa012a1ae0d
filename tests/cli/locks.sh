#!/bin/sh
# `pgfsm locks`: what a migration blocks. Four deployments that people have written about, each wrong and right; what is
# read while a statement stands in the queue; and the formats. Argument `seeds`: the deployments from 20 seeds.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
all=${PGFSM_TEST_ALL:-} # which the next line unsets
no_database

cat >schema.sql <<'END'
CREATE TABLE customers (id int PRIMARY KEY);
CREATE TABLE orders (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer int, code varchar(10), note text);
INSERT INTO customers SELECT generate_series(1, 3);
INSERT INTO orders (customer, code, note) SELECT n % 3 + 1, least(n, 21), 'x' FROM generate_series(1, 22) AS n;
END
cat >shop.yaml <<'END'
machine: shop
schema: schema.sql
rules:
  place_order:
    args: {customer: "integers(1, 3)", note: "sampled_from(['a', 'b'])"}
    sql: INSERT INTO orders (customer, note) VALUES (:customer, :note)
  list_orders: {args: {customer: "integers(1, 3)"}, sql: "SELECT * FROM orders WHERE customer = :customer"}
  list_customers: {sql: SELECT * FROM customers}
  annotate: {args: {id: "integers(1, 20)"}, sql: "UPDATE orders SET note = 'n' WHERE id = :id"}
END
again='--seed 1'
[ "${1:-}" != seeds ] || again=$(seq -f '--seed %g' 20)

# wrong FILE..., right FILE...: from each seed.
tried() { # STATUS FILE...
    status=$1
    shift
    files=
    for file in "$@"; do files="$files --migrate $file"; done
    echo "$again" >seeds
    while read -r seed; do
        # shellcheck disable=SC2086 # words
        runs "$status" locks shop.yaml $files $seed
    done <seeds
}
wrong() { tried 1 "$@"; }
right() { tried 0 "$@"; }

# The queue: without a lock_timeout everything waits behind a statement that waits itself.
echo 'ALTER TABLE orders ADD COLUMN paid boolean;' >queue.sql
wrong queue.sql
out 'lock   AccessExclusiveLock on orders until COMMIT'
out 'waits  place_order, list_orders, annotate, but only for a moment'
out '! queue  waits for transactions that have written to orders; behind it: place_order, list_orders, annotate'
out_lacks list_customers,
{ echo "SET lock_timeout = '2s';" && cat queue.sql; } >queued.sql
right queued.sql
out_lacks '!'

# By day that is all.
[ -n "$all" ] || {
    left_nothing
    finish
}

# NOT NULL on a filled table reads it under the strongest lock. The constraint that was validated first looks wrong.
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ALTER note SET NOT NULL;' >scan.sql
wrong scan.sql
out '! waits  place_order, list_orders, annotate'
out 'orders: reads the whole table'
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ADD CONSTRAINT c CHECK (note IS NOT NULL) NOT VALID;' >a.sql
echo 'ALTER TABLE orders VALIDATE CONSTRAINT c;' >b.sql
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ALTER note SET NOT NULL;' 'ALTER TABLE orders DROP CONSTRAINT c;' >c.sql
right a.sql b.sql c.sql
out 'lock   ShareUpdateExclusiveLock on orders'
# The same in one file holds the lock of its first statement over the scan.
cat a.sql b.sql >ab.sql
wrong ab.sql
out 'AccessExclusiveLock on orders until COMMIT, over 1 more statement, which reads or writes rows'

# A type that needs a new table, and one that does not.
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ALTER customer TYPE bigint;' >type.sql
wrong type.sql
out 'orders: writes the whole table anew'
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE orders ALTER code TYPE varchar(40);' >wider.sql
right wider.sql

# An index that is left invalid: the code is not unique.
echo 'CREATE UNIQUE INDEX CONCURRENTLY orders_code ON orders (code);' >index.sql
wrong index.sql
out '! fails  23505'
out '! left behind  index orders_code is invalid'
printf '%s\n' "UPDATE orders SET code = 'other' WHERE id = 22;" 'DROP INDEX CONCURRENTLY IF EXISTS orders_code;' >unique.sql
cat index.sql >>unique.sql
right unique.sql
out 'ShareUpdateExclusiveLock on orders until it ends'
out_lacks left

# Rows that are written block those who write them, and nobody else.
printf '%s\n' "UPDATE orders SET note = 'y';" 'SELECT count(*) FROM orders;' >rows.sql
wrong rows.sql
out '! waits  annotate (for rows that it has written)'

# A rule that can't run a second time still waits for a table, and not for rows.
cat >once.yaml <<'END'
machine: once
schema: schema.sql
model: n = 0
rules: {once: {precondition: n == 0, sql: INSERT INTO customers VALUES (99), model: n = 1}}
END
printf '%s\n' "SET lock_timeout = '2s';" 'ALTER TABLE customers ADD n int;' >once.sql
runs 0 locks once.yaml --migrate once.sql
out 'waits  once, but only for a moment'

# A foreign key has got the one lock while it waits for the other.
echo 'ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customers NOT VALID;' >key.sql
runs 1 locks shop.yaml --migrate key.sql
out 'waits for transactions that have written to customers, with its locks on orders; behind it: place_order, annotate'

# What the migration makes blocks nobody, and what it drops has a name.
printf '%s\n' "SET lock_timeout = '1s';" 'CREATE TABLE made AS SELECT 1;' 'DROP TABLE customers;' >drop.sql
runs 0 locks shop.yaml --migrate drop.sql
out 'AccessExclusiveLock on customers (dropped)'
out_lacks 'on made'

# What can't run in a transaction, with a lock_timeout that it would run into; and a procedure that commits.
printf '%s\n' "SET lock_timeout = '1ms';" 'VACUUM FULL orders;' 'SHOW lock_timeout;' >vacuum.sql
runs 1 locks shop.yaml --migrate vacuum.sql
out 'AccessExclusiveLock on orders until it ends'
out 'orders: writes the whole table anew'
# shellcheck disable=SC2016 # SQL
echo 'DO $$ BEGIN UPDATE orders SET note = $q$z$q$; COMMIT; END $$;' >procedure.sql
runs 0 locks shop.yaml --migrate procedure.sql

# A file with transactions of its own, and what is set in one of them.
printf '%s\n' BEGIN\; 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;' "SET LOCAL lock_timeout = '1s';" \
    'ALTER TABLE orders ADD y int;' COMMIT\; 'ALTER TABLE orders ADD z int;' >own.sql
runs 1 locks shop.yaml --migrate own.sql
out '1 finding, marked !'

# Functions that set a lock_timeout of their own, or none, do not keep it waiting.
cat schema.sql - >patient.sql <<'END'
CREATE FUNCTION patient() RETURNS bigint LANGUAGE sql SET lock_timeout = 0 AS 'SELECT count(*) FROM orders';
END
printf '%s\n' 'machine: patient' 'schema: patient.sql' 'rules: {wait: {sql: SELECT patient()}}' >patient.yaml
runs 0 locks patient.yaml --migrate queued.sql
out 'waits  wait, but only for a moment'

# Operators and functions of the schema's stay uncalled by what pgfsm asks.
cat schema.sql - >hostile.sql <<'END'
CREATE TABLE called (who text);
CREATE FUNCTION trap(oid, oid) RETURNS bool LANGUAGE plpgsql AS
    'BEGIN INSERT INTO called VALUES (current_user); RETURN true; END';
CREATE OPERATOR public.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = trap);
CREATE TABLE "a ""b'; DROP TABLE orders --" (id int);
CREATE FUNCTION quote_ident(name) RETURNS text LANGUAGE plpgsql AS
    'BEGIN INSERT INTO called VALUES (current_user); RETURN ''x''; END';
END
printf '%s\n' 'SET search_path = public, pg_catalog;' "SET lock_timeout = '1s';" \
    'ALTER TABLE "a ""b'"'"'; DROP TABLE orders --" ADD n int;' \
    "DO 'BEGIN IF EXISTS (SELECT FROM called) THEN RAISE ''called''; END IF; END';" >trap.sql
printf '%s\n' 'machine: hostile' 'schema: hostile.sql' 'rules: {none: {sql: SELECT 1}}' >hostile.yaml
runs 0 locks hostile.yaml --migrate trap.sql
out "lock   AccessExclusiveLock on \"a \"\"b'; DROP TABLE orders --\" until COMMIT"

# Bad input.
echo '\gexec' >psql.sql
runs 2 locks shop.yaml --migrate psql.sql
err 'psql.sql:1:1: only psql can run this command of psql'
runs 2 locks shop.yaml --migrate missing.sql
runs 2 locks shop.yaml
err 'no migration given'
runs 2 locks --migrate queue.sql
err 'no schema given'
echo 'ALTER TABLE nowhere ADD x int; SELECT 1;' >fails.sql
runs 1 locks shop.yaml --migrate fails.sql
out '! fails  42P01'
: >empty.sql
runs 0 locks shop.yaml --migrate empty.sql
out '0 statements'

# What linters of migrations call unsafe because of locks, and what they call safe (documentation of strong_migrations
# and squawk): the status, and a word that the table has.
while read -r status word sql; do
    printf '%s\n' "SET lock_timeout = '2s';" "$sql;" >one.sql
    runs "$status" locks shop.yaml --migrate one.sql
    out "$word"
done <<'END'
0 moment ALTER TABLE orders DROP COLUMN note
0 moment ALTER TABLE orders RENAME note TO remark
0 moment ALTER TABLE orders RENAME TO purchases
1 anew ALTER TABLE orders ALTER note TYPE varchar(5)
1 anew ALTER TABLE orders ADD COLUMN s serial
1 anew ALTER TABLE orders ADD COLUMN g int GENERATED ALWAYS AS (customer + 1) STORED
1 anew ALTER TABLE orders ADD COLUMN v float DEFAULT random()
0 moment ALTER TABLE orders ADD COLUMN v int NOT NULL DEFAULT 1
1 reads ALTER TABLE orders ADD CHECK (customer > 0)
0 moment ALTER TABLE orders ADD CHECK (customer > 0) NOT VALID
1 reads ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customers
0 moment ALTER TABLE orders ADD FOREIGN KEY (customer) REFERENCES customers NOT VALID
1 reads CREATE INDEX ON orders (customer)
0 reads CREATE INDEX CONCURRENTLY ON orders (customer)
1 reads ALTER TABLE orders ADD EXCLUDE USING btree (id WITH =)
0 moment ALTER TABLE orders ALTER code TYPE text
1 reads REINDEX TABLE orders
0 reads REINDEX TABLE CONCURRENTLY orders
END

# A server that goes away, and Ctrl-C.
echo 'SELECT pg_terminate_backend(pg_backend_pid());' >gone.sql
runs 3 locks shop.yaml --migrate gone.sql
echo "COPY (SELECT 1) TO PROGRAM 'touch $DIR/tmp/running; chmod 666 $DIR/tmp/running'; SELECT pg_sleep(90);" >slow.sql
begin locks shop.yaml --migrate slow.sql
until_true test -e tmp/running
kill -s INT $!
ends 130
rm -f tmp/running

# The formats, and that the same files give the same bytes.
for format in text json html markdown; do
    runs 1 locks shop.yaml --migrate scan.sql --format $format
    cp out first
    runs 1 locks shop.yaml --migrate scan.sql --format $format
    cmp -s first out || complain "$format differs from time to time"
done
runs 1 locks shop.yaml --migrate scan.sql --format html
xmllint --html --noout out 2>errors || true
! grep error errors | grep -vE 'Tag (svg|rect|title|text) invalid' || complain "HTML: $(head -n 3 errors)"
out '<svg'
out_lacks '<script'
runs 1 locks shop.yaml --migrate scan.sql --format json
jq -e '.findings == 1 and .statements[1].waits[0].rule == "place_order"' out >/dev/null || complain "JSON: $(cat out)"
left_nothing
finish
