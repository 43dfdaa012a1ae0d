#!/bin/sh
# Replay scripts of checks: what the model's language says of `result` is asked in SQL, so that the script
# fails with the bug and passes without it wherever it runs, whatever ids the database gives out there.
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
    tags    text[]
);
CREATE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS $$ INSERT INTO accounts (owner) VALUES (name) RETURNING id $$;
CREATE PROCEDURE ask(INOUT n int) LANGUAGE sql AS 'SELECT n';
SQL
elsewhere="ALTER TABLE accounts ALTER COLUMN id RESTART WITH 5000;"

# check NAME BUG SQL CHECK: a rule with that SQL, after an account of ann's was opened. The model knows its
# id as `first`.
check() {
    kind "$1" "$2" <<MACHINE
model: |
  first = 0
  limit = 1
initialize:
  - sql: SELECT open('ann')
    model: first = result.value
rules:
  ask:
    sql: $3
    check: $4
MACHINE
    if [ -n "$script" ] && ! grep -q -- "-- SQL can't ask this" "$script"; then
        return
    fi
    complain "$1: the check is not asked in SQL"
}

row="SELECT id, owner, balance, good, tags FROM accounts ORDER BY id"
two="CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts (owner) VALUES (name), (name || 2) RETURNING id';"
bad() { echo "ALTER TABLE accounts ALTER COLUMN $1 SET DEFAULT $2;"; }
null() { echo "ALTER TABLE accounts ALTER COLUMN $1 DROP NOT NULL, ALTER COLUMN $1 SET DEFAULT NULL;"; }

check less "$(bad balance -1)" "SELECT balance FROM accounts" "result.value >= 0"
check turned "$(bad balance -1)" "SELECT balance FROM accounts" "0 <= result.value"
check negated "$(bad balance 7)" "SELECT balance FROM accounts" "'not (result.value > limit or result.value < -1)'"
check sum "$(bad balance 7)" "SELECT balance FROM accounts" "result.value * 2 - limit == limit - 2"
check null "$(null balance)" "SELECT balance FROM accounts" "result.value != None"
check null_equal "$(null balance)" "SELECT balance FROM accounts" "result.value == 0"
check not_null "$(bad code "'x'")" "SELECT code FROM accounts" "result.value == None"
check differs "$(bad owner "'x'") CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts DEFAULT VALUES RETURNING id';" "SELECT owner FROM accounts" "result.value != 'x'"
check truth "$(bad good false)" "SELECT good FROM accounts" "result.value"
check untruth "$(bad good false)" "SELECT NOT good FROM accounts" "not result.value"
check flag "$(null good)" "SELECT good FROM accounts" "result.value == True"
check number_truth "$(bad balance 1)" "SELECT balance FROM accounts" "not result.value"
check enum "$(bad mood "'happy'")" "SELECT mood FROM accounts" "result.value == 'sad'"
check enum_in "$(bad mood "'happy'")" "SELECT mood FROM accounts" "result.value in ['sad', 'glad']"
check in_ints "$(bad balance 9)" "SELECT balance FROM accounts" "result.value in [0, limit, None]"
check not_in "$(bad balance 9)" "SELECT balance FROM accounts" "result.value not in {9, 10}"
check date "$(bad opened "'0044-03-15 BC'")" "SELECT opened FROM accounts" "result.value > '2000-01-01'"
check float "$(bad rate 0.2)" "SELECT rate FROM accounts" "result.value == 0.1"
check citext "$(bad nick "'BOB'")" "SELECT coalesce(nick, 'bob') FROM accounts" "result.value == 'bob'"
check part "$(bad balance 7)" "SELECT owner || balance FROM accounts" "'not \"7\" in result.value'"
check starts "$(bad balance 7)" "SELECT balance || owner FROM accounts" "result.value.startswith('0')"
check length "$(bad balance 77)" "SELECT owner || balance FROM accounts" "len(result.value) == 4"
check count "$two" "SELECT id FROM accounts" "result.count == limit"
check rows "$two" "SELECT id FROM accounts" "len(result.rows) < 2"
check any_rows "$two" "SELECT id FROM accounts WHERE owner = 'ann2'" "not result.rows"
check no_rows "$two" "SELECT id FROM accounts WHERE owner = 'ann2'" "result.rows == []"
check changed "$two" "UPDATE accounts SET balance = balance + 1" "result.count == 1 and limit > 0"
check attr "$(bad balance 7)" "$row" "result.row.balance == 0 and result.row.owner == 'ann'"
check index "$(bad balance 7)" "$row" "result.row[2] == 0"
check place "$two" "$row" "'result.count == 1 or result.rows[-1].owner == \"ann\"'"
check first_row "$(bad balance 7)" "$row" "result.rows[0].balance < limit"
check whole_row "$(bad balance 7)" "SELECT owner, balance, code FROM accounts" "result.row == ('ann', 0, None)"
check array "$(bad tags "'{x}'")" "$row" "result.row.tags == None"
check every "$two" "$row" "'all(row.owner == \"ann\" for row in result.rows)'"
check some "$two" "$row" "'not any([len(owner) > 3 for id, owner, balance, good, tags in result.rows if good])'"
check total "$(bad balance 7)" "$row" "'sum(row.balance for row in result.rows if row.id > 0) == 0'"
check most "$(bad balance 7)" "$row" "'max(row.balance for row in result.rows) < limit'"
check several "$two" "$row" "'len([row for row in result.rows if row.good]) <= limit'"
check conditional "$(bad balance 7)" "$row" "'result.row.balance == 0 if result.row.good else result.row.balance > 0'"
check own "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts (owner) VALUES (name) RETURNING id + 1';" "SELECT id FROM accounts" "result.value == first"
check next "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql AS
    'INSERT INTO accounts (owner) VALUES (name) RETURNING id + 1';" "SELECT id + 3 FROM accounts" "result.value == first + 3"
check call "CREATE OR REPLACE PROCEDURE ask(INOUT n int) LANGUAGE sql AS 'SELECT n + 1';" \
    "CALL ask(4)" "result.row.n == 4"

# What has no form in SQL: the script looks for the answer that failed, and script and report say so.
kind guess "$(bad balance -1)" <<'MACHINE'
model: |
  opened = 0
  def fine(balance):
    return balance >= 0
initialize:
  - sql: SELECT open('ann')
    model: opened += 1
rules:
  ask:
    sql: SELECT balance FROM accounts
    check: fine(result.value)
MACHINE
grep -q -- "-- SQL can't ask this" "$script" || complain "guess: the script does not say that it guesses"
grep -q "SQL can't ask what the check asks" guess.report || complain "guess: the report does not say that the script guesses"

exit "$failed"
