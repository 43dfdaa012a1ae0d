#!/bin/sh
# pgfsm mutate: the rules and invariants that it suggests against survivors. Each is pasted into the machine alone: the
# machine passes check, still passes a run, and kills the mutants for which it was suggested.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../pg/server.sh"
. "$here/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
export PGFSM_JOBS=1

# Splits the suggestions into files: offer.N.KIND has the lines, and offer.N.ids the mutants.
split_offers() {
    rm -f offer.*
    awk '
        match($0, /^  (A rule|An invariant) that kills /) {
            n++
            file = "offer." n ($2 == "rule" ? ".rules" : ".invariants")
            ids = substr($0, RLENGTH + 1)
            gsub(/[,:]/, "", ids)
            print ids >("offer." n ".ids")
            next
        }
        /^      / && file { print substr($0, 5) >file; next }
        { file = "" }' out
}

# FILE OFFERS [OPTION...]: there are at least OFFERS suggestions, and each kills its mutants.
pasted() {
    machine=$1
    least=$2
    shift 2
    runs 0 mutate "$machine" --seed 1 "$@"
    split_offers
    cp out told
    found=$(find . -maxdepth 1 -name 'offer.*.ids' | wc -l)
    [ "$found" -ge "$least" ] || {
        complain "$machine: $found offers, not $least"
        show
    }
    for ids in offer.*.ids; do
        for lines in "${ids%.ids}".rules "${ids%.ids}".invariants; do
            [ -f "$lines" ] || continue
            key=${lines##*.}
            sed "/^$key:/r $lines" "$machine" >pasted.yaml
            runs 0 check pasted.yaml
            only=$(sed 's/[0-9a-f][0-9a-f]*/--only &/g' "$ids")
            # shellcheck disable=SC2086 # words
            runs 0 mutate pasted.yaml --seed 1 $only --min-score 100
        done
    done
}

# A policy of which the other user is drawn, one that hides rows, bounds of columns that no rule writes, a key of one
# column, a reference, a default that nothing reads.
cat >shop.sql <<'SQL'
DO $$ BEGIN CREATE ROLE pgfsm_shop_clerk; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE customer (id int PRIMARY KEY, email text NOT NULL);
CREATE TABLE orders (
    id int PRIMARY KEY,
    customer int NOT NULL REFERENCES customer,
    clerk text NOT NULL,
    total numeric(8, 2) NOT NULL DEFAULT 0 CHECK (total >= 0 AND total < 5000),
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid')));
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY mine ON orders TO pgfsm_shop_clerk USING (clerk = current_setting('app.clerk'))
    WITH CHECK (clerk = current_setting('app.clerk'));
GRANT SELECT, INSERT, UPDATE ON orders TO pgfsm_shop_clerk;
GRANT SELECT ON customer TO pgfsm_shop_clerk;
SQL
cat >shop.yaml <<'END'
machine: shop
schema: shop.sql
model: |
  orders = {}
initialize:
  - sql: INSERT INTO customer VALUES (1, 'a'), (2, 'b') RETURNING id
    target: customers
contexts:
  clerk: {role: pgfsm_shop_clerk, settings: {app.clerk: who}}
rules:
  take:
    args:
      who: sampled_from(["ann", "bob"])
      id: integers(1, 9)
      customer: customers
    as: clerk
    sql: INSERT INTO orders (id, customer, clerk) VALUES (:id, :customer, :who)
    raises: unique_violation if id in orders else None
    model: orders[id] = who
invariants:
  orders: {sql: "SELECT id, clerk FROM orders", expect: orders}
END
export PGFSM_EXAMPLES=10
pasted shop.yaml 10 --only 'policy-check-true' --only 'policy-using-true' --only 'drop-*' --only default-plus-one
holds told '          insufficient_privilege if other_who != who else'

holds told 'An invariant that kills'
holds told '  orders_has_total: SELECT * FROM orders WHERE total IS DISTINCT FROM 0'

# Machines of this project, without their accepted survivors.
mkdir machines
cp -r "$here/../../sql" sql
cd machines || exit 1
for machine in membership ledger; do
    awk '/^[^ ]/ { left_out = /^mutants:/ } !left_out' "$here/../../machines/$machine.yaml" >$machine.yaml
done
pasted membership.yaml 5 --only 'policy-check-true' --only 'policy-open-for-insert' --only 'drop-*'
pasted ledger.yaml 1 --only drop-foreign-key
cd ..

# Many invariants, most of which are skipped after a step: a suggestion on trial is checked after each step. Here it
# fails only after the second of three steps.
cat >many.sql <<'SQL'
CREATE TABLE quiet (n int);
CREATE TABLE a (id int, n int DEFAULT 0);
CREATE TABLE b (id int, m int DEFAULT 0);
SQL
{
    cat <<'END'
machine: many
schema: many.sql
settings: {steps: 3}
model: n = 0
rules:
  add: {precondition: n == 0, sql: [INSERT INTO a (id) VALUES (1), INSERT INTO b (id) VALUES (1)], model: n = 1}
  set: {precondition: n == 1, sql: UPDATE b SET m = 5, model: n = 2}
  reset: {precondition: n == 2, sql: UPDATE b SET m = 0, model: n = 3}
invariants:
END
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
        echo "  quiet_$i: SELECT * FROM quiet WHERE n > $i"
    done
} >many.yaml
runs 0 mutate many.yaml --seed 1 --only default-plus-one
out '2 survived'
out '  a_has_n:'
out_lacks '  b_has_m:'

# No rule runs with additional privileges, not even to find a suggestion.
cat >rights.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, email text UNIQUE);
DO $$ BEGIN CREATE ROLE offers_guest; EXCEPTION WHEN duplicate_object THEN END $$;
GRANT ALL ON t TO offers_guest;
END
cat >rights.yaml <<END
machine: rights
schema: rights.sql
contexts: {guest: {role: offers_guest}}
model: n = 0
rules:
  attack: {as: guest, sql: "COPY (SELECT 1) TO PROGRAM 'cat >$PWD/taken'", raises: insufficient_privilege}
  export: {as: guest, sql: "SELECT lo_export(lo_from_bytea(0, 'x'), '$PWD/taken')", raises: insufficient_privilege}
invariants:
  fine: SELECT * FROM t WHERE id < 0
END
chmod 777 .
runs 0 mutate rights.yaml --seed 1
[ ! -e taken ] || complain "$said: a rule ran with other rights than its own"
finish
