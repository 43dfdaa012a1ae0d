#!/bin/sh
# race_scripts.sh [RACE...]: what pgfsm writes down of races of sql/races; where none is named, of all and of one more.
#
# The psql script says `not ok` and ends with 3, by psql and by pgfsm replay; without the race it says `ok`. What
# isolationtester is given shows, row by row and error by error, in the same order, what the report says of the sessions.
# The one more is of a schema in which all that is difficult in writing it down comes together.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
cp -r "$top/machines" "$top/sql" .
failed=0

for tester in "$SERVER_BIN"/../lib/pgxs/src/test/isolation/isolationtester \
    "$SERVER_BIN"/../lib/postgresql/pgxs/src/test/isolation/isolationtester none; do
    [ ! -x "$tester" ] || break
done

complain() {
    echo "FAILED: $*"
    failed=1
}

# find MACHINE FILE: a failure of its own in `out`, and the report as JSON.
find_race() {
    rm -rf out .pgfsm
    status=0
    "$PROGRAM" run "$1" --apply "$2" --sessions 2 --seed 1 --examples 400 -d postgres --out out \
        --report json=json --color never >report 2>&1 || status=$?
    name=$(basename out/*-sessions-*.spec .spec)
    if [ "$status" != 1 ] || ! grep '"race"' json >race ||
        [ "$(ls out)" != "$(printf '%s.spec\n%s.sql' "$name" "$name")" ]; then
        complain "$2: exit status $status"
        cat report
        return 1
    fi
    [ "$(jq -r '.script, .spec' race)" = "$(printf 'out/%s.sql\nout/%s.spec' "$name" "$name")" ] || complain "$2: JSON"
    grep -q "replay .*out/$name.sql\$" report || complain "$2: the report does not name the script"
    grep -q "for isolationtester: out/$name.spec\$" report || complain "$2: the report does not name the .spec"
}

# plays SCRIPT STATUS TAP [OPTION...]: in a database of its own.
plays() {
    script=$1 wanted=$2 tap=$3
    shift 3
    createdb played
    status=0
    psql -qX "$@" -d played -f "$script" >output 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || ! grep -q "$tap" output; then
        complain "$script: exit status $status, not $wanted, or not $tap"
        cat output
    fi
}

# What the sessions were answered, by the report: a step and a row, or its error, a line each.
by_report() {
    jq -r '.race as $race
        | [$race.steps | group_by(.session)[] | to_entries[] | "\([64 + .value.session] | implode)\(.key + 1)"] as $names
        | $race.events[] | select(.kind == "answered")
        | $names[.step] as $name
        | if .failed then "\($name) ERROR \(.text | sub("^[^:]*: "; ""))"
          elif .text | test("^1 row: ") then
              .text | sub("^1 row: "; "") | {"None": "", "True": "t", "False": "f"}[.] // ltrimstr("\"") | "\($name) \(rtrimstr("\""))"
          elif .text | test("^[A-Z ]+[0-9 ]*$") then "\($name) done"
          else "no text that this test knows: \(.text)" end' race
    jq -r '.race.orders[] | select(.at == null) | "\(.who | ltrimstr("invariant ")): \(.actual)"' race | sort -u
}

# The same by what isolationtester prints, but for the row of what a context sets; of checks that contradict an order,
# their number of rows.
by_tester() {
    wanted=$(jq -r '[.race.orders[] | select(.at == null).who | ltrimstr("invariant ")] | unique[]' race)
    awk -v wanted=" $(echo "$wanted" | tr '\n' ' ')" '
        function finish() { if (step && !told) print step " done"; step = ""; told = 1 }
        /^step / {
            finish()
            name = $2
            sub(/:$/, "", name)
            step = name ~ /^[A-D][0-9]+(_[0-9]+|_commit)?$/ ? name : ""
            sub(/_.*/, "", step)
            rows = told = 0
        }
        / <waiting \.\.\.>$/ { step = "" }
        /^ *set_config *$/ && step { setting = 1; next } # by `as:`
        setting { if (/^\([0-9]+ rows?\)$/) setting = 0; next }
        /^ERROR:  / && step { sub(/^ERROR:  /, ""); print step " ERROR " $0; told = 1 }
        /^\([0-9]+ rows?\)$/ { if (!step) checks[name] = substr($0, 2, length($0) - 2); rows = 0; told = 1 }
        rows && step { gsub(/^ +| +$/, ""); print step " " $0 }
        /^-+(\+-+)*$/ { rows = 1 }
        END { finish(); for (name in checks) if (index(wanted, " " name " ")) print name ": " checks[name] }' output
}

# spec FILE: what isolationtester prints goes to `output`.
spec() {
    plays "out/$name.sql" 0 '^1..0 # SKIP' -v setup=1
    PGISOLATIONTIMEOUT=20 "$tester" dbname=played <"out/$name.spec" >output 2>&1 || complain "$1: isolationtester: $(cat output)"
    dropdb played
}

# race NAME
race() {
    find_race "machines/${1%%-*}.yaml" "sql/races/$1.sql" || return
    plays "out/$name.sql" 3 '^not ok 1 - '
    dropdb played
    sed "/races.$1.sql/d" "out/$name.sql" >out/right.sql
    plays out/right.sql 0 '^ok 1 - '
    grep -q '^# not reproduced: .* gives .*, not ' output || complain "$1: it does not say what is different"
    dropdb played
    if [ "$tester" != none ]; then
        spec "$1"
        by_report >expected
        by_tester >actual
        diff expected actual || complain "$1: isolationtester shows something else"
        [ -s expected ] || complain "$1: nothing was compared"
    fi
}

named=$#
[ "$named" -gt 0 ] || {
    # shellcheck disable=SC2046,SC2119 # a name each; of all machines
    set -- $(races)
}
for race; do
    race "$race"
done

# pgfsm replay gives the script a database of its own, and a database with tables in it is refused.
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

# Where sessions can't be played the script says so: no dblink, no way to connect.
sed "s/name = 'dblink'/name = 'no such extension'/" "out/$name.sql" >out/missing.sql
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
if find_race wallets.yaml wallets-race.sql; then
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
