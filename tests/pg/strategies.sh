#!/bin/sh
# Strategies whose values the server judges: column() and row() over schemas (strategies/shop.sql, hard.sql),
# whose tables take whatever they give; from_regex, timedeltas and json_values.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
cp -R "$(cd "$(dirname "$0")" && pwd)/strategies" "$SERVER_DIR"
machines=$SERVER_DIR/strategies
cd "$SERVER_DIR"
# Before PostgreSQL 15 the scale of a numeric is from 0 to its precision.
[ "$SERVER_MAJOR" -ge 15 ] ||
    sed -i 's/numeric(3, -2)/numeric(5, 2)/; s/numeric(2, 4)/numeric(4, 2)/' "$machines/hard.sql"
out="$SERVER_DIR/out"

fail() {
    echo "$1"
    cat "$out"
    exit 1
}

for machine in shop values patterns; do
    "$PROGRAM" run "$machines/$machine.yaml" --examples 40 --seed 1 --no-save >"$out" 2>&1 || fail "$machine does not hold"
done
# Runs every rule of this machine alone: its references exist from the beginning.
for rule in add_types add_member add_node add_whole add_odd add_checks add_part one_column_of_a_key; do
    "$PROGRAM" run "$machines/hard.yaml" --rule "$rule" --examples 8 --seed 1 --strict --no-save >"$out" 2>&1 ||
        fail "hard does not hold: $rule"
    ! grep -q "dead end" "$out" || fail "the simplest values are refused: $rule"
done

"$PROGRAM" run "$machines/lost.yaml" --seed 1 --no-save -v >"$out" 2>&1 &&
    fail "lost passes"
grep -q 'add_user(user={"email": "0@a.org", "nick": "", "level": 1, "Full Name": None, "kind": "guest", ' "$out" ||
    fail "the row is not shrunk"

(
    unset PGHOST PGPORT PGDATABASE PGUSER PGPASSWORD DATABASE_URL PGFSM_PG_BINDIR
    "$PROGRAM" check "$machines/missing.yaml" >"$out" 2>&1
) || fail "without a server names can't be wrong"
"$PROGRAM" check "$machines/missing.yaml" >"$out" 2>&1 && fail "missing.yaml passes"
grep -q "missing.yaml:5:22: error: table users has no column 'emial'" "$out" || fail "no column"
grep -q "hint: did you mean 'email'?" "$out" || fail "no hint for a column"
grep -q "missing.yaml:5:45: error: there is no table 'usres'" "$out" || fail "no table"
grep -q "hint: did you mean 'users'?" "$out" || fail "no hint for a table"
grep -q "missing.yaml:9:20: error: there is no strategy for the type txid_snapshot of column seen" "$out" || fail "no type"
grep -q "missing.yaml:11:17: error: there is no strategy for the type txid_snapshot of column must" "$out" || fail "no type"
[ "$(grep -c error: "$out")" = 4 ] || fail "what is there is refused"

# JSON that a value can't represent is returned as text.
cat >unread.yaml <<'EOF'
machine: unread
rules:
  nul:
    sql: SELECT $$"\u0000"$$::json
    check: len(result.value) == 8 and result.value[1:] == "\\u0000\""
EOF
"$PROGRAM" run unread.yaml --no-save --strict >"$out" 2>&1 || fail "a NUL is no text"
