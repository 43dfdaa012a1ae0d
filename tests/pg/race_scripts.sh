#!/bin/sh
# race_scripts.sh [RACE...]: the files that pgfsm writes for races of sql/races; without arguments, for all of them and
# for one more.
#
# The psql script says `not ok` and ends with 3, by psql and by pgfsm replay; without the race it says `ok`. The file
# for isolationtester yields the same rows and errors of the sessions as the report, in the same order. The additional
# race has a schema that combines all difficulties of such files.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/race_files.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
find_tester
cp -r "$top/machines" "$top/sql" .

# race NAME
race() {
    find_race "machines/${1%%-*}.yaml" "sql/races/$1.sql" --seed 1 || return
    plays "out/$name.sql" 3 '^not ok 1 - '
    dropdb played
    sed "/races.$1.sql/d" "out/$name.sql" >out/right.sql
    plays out/right.sql 0 '^ok 1 - '
    grep -q '^# not reproduced: .* gives .*, not ' output || complain "$1: it does not say what is different"
    dropdb played
    [ "$tester" = none ] || same_by_tester "$1"
}

named=$#
[ "$named" -gt 0 ] || {
    # shellcheck disable=SC2046,SC2119 # a name each; of all machines
    set -- $(races)
}
for race; do
    race "$race"
done

# pgfsm replay gives the script a new database, and refuses a database with tables.
"$PROGRAM" replay "out/$name.sql" -d postgres >output 2>&1
if [ $? != 1 ] || ! grep -q '^not ok' output; then
    complain "pgfsm replay: $(cat output)"
fi
createdb used
psql -qX -d used -c 'CREATE TABLE mine ()'
psql -qX -d used -f "out/$name.sql" >output 2>&1
if [ $? != 3 ] || ! grep -q 'it needs a database without tables' output; then
    complain "a database with tables: $(cat output)"
fi

# If sessions can't be played, the script says so: without dblink, or without a way to connect.
sed "s/OPERATOR(pg_catalog.=) 'dblink'/OPERATOR(pg_catalog.=) 'no such extension'/" "out/$name.sql" >out/missing.sql
plays out/missing.sql 0 '^1..0 # SKIP the server has no extension dblink$'
dropdb played
plays "out/$name.sql" 0 "^ok 1 - .* # SKIP dblink can't connect.*no_such_host" -v "connect=host='/no_such_host'"
dropdb played

[ "$named" = 0 ] || exit "$failed"

cat >wallets.sql <<'SQL'
CREATE TABLE wallets (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), "na}me" text NOT NULL, notes jsonb NOT NULL DEFAULT '{}');
CREATE TABLE payments (id serial, wallet uuid NOT NULL REFERENCES wallets, amount integer NOT NULL, payer text);
CREATE FUNCTION pay(to_wallet uuid, amount integer, note jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM wallets WHERE id = to_wallet FOR UPDATE;
    IF (SELECT count(*) FROM payments WHERE wallet = to_wallet) < 1 THEN
        UPDATE wallets SET notes = notes || note WHERE id = to_wallet;
        INSERT INTO payments (wallet, amount, payer) VALUES (to_wallet, amount, current_setting('app.payer'));
    END IF;
END $$;
SQL
cat >wallets-race.sql <<'SQL'
CREATE OR REPLACE FUNCTION pay(to_wallet uuid, amount integer, note jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM payments WHERE wallet = to_wallet) < 1 THEN
        UPDATE wallets SET notes = notes || note WHERE id = to_wallet;
        INSERT INTO payments (wallet, amount, payer) VALUES (to_wallet, amount, current_setting('app.payer'));
    END IF;
END $$;
SQL
cat >wallets.yaml <<'YAML'
machine: wallets
schema: wallets.sql
model: |
  paid = {}
contexts:
  payer: {settings: {app.payer: 'who + "}"'}}
rules:
  open:
    sql: |
      INSERT INTO wallets ("na}me") VALUES ('a}''b\') RETURNING id
    model: paid[result.value] = []
    target: wallets
  pay:
    weight: 3
    args: {wallet: wallets, who: 'sampled_from(["ann", "bob"])'}
    as: payer
    sql:
      - |
        SELECT pay(:wallet, 3, '{"by": "x}"}')
      - |
        SELECT wallet, payer, E'\}' || $$}'$$ AS "} it" /* } */ FROM payments WHERE wallet = :wallet AND payer <> U&'}\007D'
    model: |
      if not paid[wallet]:
          paid[wallet].append(who + "}")
    expect: |
      bag((wallet, payer, "}}'") for payer in (paid[wallet] or [who + "}"]))
invariants:
  paid:
    sql: SELECT wallet, payer FROM payments
    expect: 'bag((wallet, payer) for wallet, payers in paid.items() for payer in payers)'
YAML
if find_race wallets.yaml wallets-race.sql --seed 1; then
    plays "out/$name.sql" 3 '^not ok 1 - '
    dropdb played
    sed '/wallets-race/d' "out/$name.sql" >out/right.sql
    plays out/right.sql 0 '^ok 1 - '
    dropdb played
    if [ "$tester" != none ]; then
        spec wallets
        [ "$(grep -c "|ann} |}}' *$" output)" = 3 ] || complain "wallets: $(cat output)"
    fi
fi
exit "$failed"
