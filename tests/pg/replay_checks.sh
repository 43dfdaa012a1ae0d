#!/bin/sh
# Replay scripts of checks: SQL evaluates the check of `result` in the model language, so the script fails with the bug
# and passes without it on any database, whatever ids it generates.
set -u

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/replay_kind.sh"

server_start tcp
cd "$SERVER_DIR" || exit 1
createdb empty
ways=socket # the others are replay.sh's

cat >schema.sql <<'SQL'
CREATE EXTENSION IF NOT EXISTS citext;
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE accounts (
    id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token   uuid NOT NULL DEFAULT gen_random_uuid(),
    owner   text NOT NULL,
    nick    citext,
    mood    mood NOT NULL DEFAULT 'sad',
    code    char(4),
    opened  date NOT NULL DEFAULT '2024-02-29',
    rate    real NOT NULL DEFAULT 0.1,
    balance numeric NOT NULL DEFAULT 0,
    good    boolean NOT NULL DEFAULT true,
    tags    text[],
    bits    bit(4) NOT NULL DEFAULT '0101'
);
CREATE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS $$ INSERT INTO accounts (owner) VALUES (name) RETURNING id $$;
CREATE TYPE pair AS (amount numeric, name text);
CREATE VIEW numbers AS SELECT v FROM (VALUES (2), (1)) AS t (v) ORDER BY v;
CREATE PROCEDURE ask(INOUT n int) LANGUAGE sql AS 'SELECT n';
SQL
elsewhere="ALTER TABLE accounts ALTER COLUMN id RESTART WITH 5000;"

# ask NAME BUG SQL CHECK: a rule with that SQL, after an account of ann's was opened. The model knows its
# id as `first`.
ask() {
    kind "$1" "$2" <<MACHINE
model: |
  first = 0
  limit = 1
  def fine(balance):
    return balance >= 0
  def next():
    return first + 1
initialize:
  - sql: SELECT open('ann')
    model: first = result.value
rules:
  ask:
    sql: $3
    check: $4
MACHINE
}

check() { # the same: the script asks it
    ask "$@"
    if [ -n "$script" ] && ! grep -q -- "-- SQL can't ask this" "$script"; then
        return
    fi
    complain "$1: the check is not asked in SQL"
}

# unjudged NAME BUG SQL CHECK: a check that the script can't evaluate. With the bug, the script recognises the answer.
# Without it, script and report say that the script can't judge it. By night ($PGFSM_TEST_ALL), all of them; else every
# fifth.
count=0
unjudged() {
    count=$((count + 1))
    [ -n "$TEST_ALL" ] || [ $((count % 5)) = 1 ] || return 0
    judges=no
    ask "$@"
    judges=yes
    grep -q -- "-- SQL can't ask this" "$script" || complain "$1: the script does not say what it can't judge"
    grep -q "SQL can't ask what the check asks" "$1.report" || complain "$1: the report does not say it"
}

row="SELECT id, owner, balance, good, tags FROM accounts ORDER BY id"
two="CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts (owner) VALUES (name), (name || 2) RETURNING id';"
bad() { echo "ALTER TABLE accounts ALTER COLUMN $1 SET DEFAULT $2;"; }
null() { echo "ALTER TABLE accounts ALTER COLUMN $1 DROP NOT NULL, ALTER COLUMN $1 SET DEFAULT NULL;"; }

check less "$(bad balance -1)" "SELECT balance FROM accounts" "result.value >= 0"
check null "$(null balance)" "SELECT balance FROM accounts" "result.value != None"
check null_equal "$(null balance)" "SELECT balance FROM accounts" "result.value == 0"
check not_null "$(bad code "'x'")" "SELECT code FROM accounts" "result.value == None"
check differs "$(bad owner "'x'") CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts DEFAULT VALUES RETURNING id';" "SELECT owner FROM accounts" "result.value != 'x'"
check flag "$(null good)" "SELECT good FROM accounts" "result.value == True"
check fraction "$(bad balance 7)" "SELECT balance FROM accounts" "result.value < 0.5"
check enum "$(bad mood "'happy'")" "SELECT mood FROM accounts" "result.value == 'sad'"
check date "$(bad opened "'0044-03-15 BC'")" "SELECT opened FROM accounts" "result.value > '2000-01-01'"
check float "$(bad rate 2)" "SELECT floor(rate) FROM accounts" "result.value == 0"
check citext "$(bad nick "'BOB'")" "SELECT coalesce(nick, 'bob') FROM accounts" "result.value == 'bob'"
check count "$two" "SELECT id FROM accounts" "result.count == 1"
check variable "$(bad balance 7)" "SELECT balance FROM accounts" "result.value < limit"
check own "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts (owner) VALUES (name) RETURNING id + 1';" "SELECT id FROM accounts" "result.value == first"
check changed "$two" "UPDATE accounts SET balance = balance + 1" "result.count == 1"
check with "$(bad balance -1)" "WITH a AS (SELECT balance FROM accounts), b AS MATERIALIZED (
      SELECT CASE WHEN balance > 0 THEN balance END AS above, (balance) AS v FROM a) SELECT v FROM b" "result.value >= 0"
check call "CREATE OR REPLACE PROCEDURE ask(INOUT n int) LANGUAGE sql AS 'SELECT n + 1';" \
    "CALL ask(4)" "result.value == 4"

# Checks that the script can't evaluate: all other expressions of the model language.
unjudged turned "$(bad balance -1)" "SELECT balance FROM accounts" "0 <= result.value"
unjudged negated "$(bad balance 7)" "SELECT balance FROM accounts" "'not (result.value > 1)'"
unjudged both "$(bad balance 7)" "SELECT balance FROM accounts" "result.value >= 0 and result.value < 7"
unjudged truth "$(bad good false)" "SELECT good FROM accounts" "result.value"
unjudged one_of "$(bad balance 9)" "SELECT balance FROM accounts" "result.value in [0, 1]"
unjudged rows "$two" "SELECT id FROM accounts" "len(result.rows) < 2"
unjudged no_rows "$two" "SELECT id FROM accounts WHERE owner = 'ann2'" "not result.rows"
unjudged attr "$(bad balance 7)" "$row" "result.row.balance == 0"
unjudged index "$(bad balance 7)" "$row" "result.row[2] == 0"
unjudged function "$(bad balance -1)" "SELECT balance FROM accounts" "fine(result.value)"
unjudged sum "$(bad balance 7)" "SELECT balance FROM accounts" "result.value * 2 - limit == limit - 2"
unjudged part "$(bad balance 7)" "SELECT owner || balance FROM accounts" "'not \"7\" in result.value'"
unjudged starts "$(bad balance 7)" "SELECT balance || owner FROM accounts" "result.value.startswith('0')"
unjudged length "$(bad balance 77)" "SELECT owner || balance FROM accounts" "len(result.value) == 4"
unjudged place "$two" "$row" "'result.count == 1 or result.rows[-1].owner == \"ann\"'"
unjudged order "CREATE OR REPLACE VIEW numbers AS SELECT v FROM (VALUES (2), (1)) AS t (v) ORDER BY v DESC" \
    "SELECT v FROM numbers" "result.rows[0].v < result.rows[1].v"
unjudged first_row "$(bad balance 7)" "$row" "result.rows[0].balance < limit"
unjudged whole_row "$(bad balance 7)" "SELECT owner, balance, code FROM accounts" "result.row == ('ann', 0, None)"
unjudged every "$two" "$row" "'all(row.owner == \"ann\" for row in result.rows)'"
unjudged some "$two" "$row" "'not any([len(owner) > 3 for id, owner, balance, good, tags in result.rows if good])'"
unjudged total "$(bad balance 7)" "$row" "'sum(row.balance for row in result.rows if row.id > 0) == 0'"
unjudged most "$(bad balance 7)" "$row" "'max(row.balance for row in result.rows) < limit'"
unjudged several "$two" "$row" "'len([row for row in result.rows if row.good]) <= limit'"
unjudged conditional "$(bad balance 7)" "$row" "'result.row.balance == 0 if result.row.good else result.row.balance > 0'"
unjudged next "$two" "SELECT max(id) + 3 FROM accounts" "result.value == first + 3"
# Computed in other ways from an id that the database generated.
number=0
for way in "result.value in [first + 1, 0]" "result.value == (first + 1 if first else 0)" "result.value == next()" \
    "result.value in [x + 1 for x in [first]]" "result.value == [x + 1 for x in [first]][0]" \
    "result.value == max([first + 1])" "result.value == (lambda x: x + 1)(first)"; do
    number=$((number + 1))
    unjudged "computed_$number" "$two" "SELECT max(id) + 1 FROM accounts" "'$way'"
done
unjudged either "$(bad balance 7)" "SELECT balance FROM accounts" "result.value == 0 or result.value == 1"
unjudged exact "$(bad rate 0.2)" "SELECT rate FROM accounts" "result.value == 0.1"
unjudged blanks "$(bad code "'x'")" "SELECT code FROM accounts" "result.value == '    '"
# Answers whose values have several texts, or a length of their own.
unjudged composite "$(bad balance 7)" "SELECT (balance, owner)::pair FROM accounts" "result.value[0] * 2 == 0"
unjudged composites "$(bad balance 7)" "SELECT ARRAY[(balance, owner)::pair] FROM accounts" "result.value[0][0] * 2 == 0"
unjudged enums "$(bad mood "'happy'")" "SELECT ARRAY[mood, 'sad'] FROM accounts" "result.value[0].startswith('s')"
unjudged documents "$(bad balance 7)" "SELECT ARRAY[json_build_object('a', balance)] FROM accounts" "'result.value[0][\"a\"] * 2 == 0'"
unjudged bits "$(bad bits "'1010'")" "SELECT bits, ARRAY[bits] FROM accounts" "result.row[0].startswith('01')"
unjudged fixed "$(bad code "'xyz'")" "SELECT code, ARRAY[code] FROM accounts" "result.row[0].startswith('a')"
unjudged document "$(bad balance 7)" "SELECT to_json(balance) FROM accounts" "result.value == 0"

exit "$failed"
