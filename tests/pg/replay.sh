#!/bin/sh
# Replay scripts of every kind of failure: run with psql and with pg_prove, over a socket and over TCP,
# they say `not ok` and end with 3 while the bug is there, and say `ok` and end with 0 once it is fixed.
set -u

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/replay_kind.sh"

server_start tcp
cd "$SERVER_DIR" || exit 1
createdb empty

cat >schema.sql <<'SQL'
CREATE TABLE accounts (
    id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner   text NOT NULL,
    balance int NOT NULL DEFAULT 0
);
CREATE TABLE entries (
    account int CONSTRAINT entries_account REFERENCES accounts DEFERRABLE INITIALLY DEFERRED
);
CREATE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS $$ INSERT INTO accounts (owner) VALUES (name) RETURNING id $$;
CREATE FUNCTION look(account int) RETURNS int LANGUAGE sql STABLE
    AS $$ SELECT balance FROM accounts WHERE id = account $$;
CREATE FUNCTION refuse() RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN RAISE no_data_found; END $$;
CREATE FUNCTION pass() RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION note(account int) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO entries VALUES (account) $$;
CREATE VIEW version AS SELECT 'release-2026-11' AS name, 1 AS part;
SQL

opens='
model: |
  accounts = {}
rules:
  open:
    sql: SELECT open('"'"'ann'"'"')
    model: accounts[result.value] = 0
    target: ids'

kind invariant "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS 'INSERT INTO accounts (owner, balance) VALUES (name, 7) RETURNING id';" <<END_OF_MACHINE
$opens
invariants:
  balances:
    sql: SELECT id, balance FROM accounts
    expect: accounts
END_OF_MACHINE

kind ordered "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS 'INSERT INTO accounts (owner, balance) VALUES (name, 7) RETURNING id';" <<END_OF_MACHINE
$opens
invariants:
  balances:
    sql: SELECT id, balance FROM accounts ORDER BY id
    expect: "[(id, 0) for id in sorted(accounts)]"
END_OF_MACHINE

# A text that the model predicts and that the failing statement returns itself: the script does not catch it before that
# statement.
kind own_answer "CREATE OR REPLACE VIEW version AS SELECT 'release-2026-11' AS name, 2 AS part;" <<'END_OF_MACHINE'
rules:
  ask: {sql: TABLE version, expect: '[("release-2026-11", 1)]'}
END_OF_MACHINE

kind no_rows "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS 'INSERT INTO accounts (owner, balance) VALUES (name, -1) RETURNING id';" <<END_OF_MACHINE
$opens
invariants:
  none_below_zero: SELECT id FROM accounts WHERE balance < 0
END_OF_MACHINE

kind expect "CREATE OR REPLACE FUNCTION look(account int) RETURNS int LANGUAGE sql STABLE
    AS 'SELECT balance + 1 FROM accounts WHERE id = account';" <<END_OF_MACHINE
$opens
  look:
    args: {id: ids}
    sql: SELECT look(:id)
    expect: accounts[id]
END_OF_MACHINE

kind affects "CREATE RULE nothing AS ON DELETE TO accounts DO INSTEAD NOTHING;" <<END_OF_MACHINE
$opens
  close:
    args: {id: consumes(ids)}
    sql: DELETE FROM accounts WHERE id = :id
    affects: 1
    model: accounts.pop(id)
END_OF_MACHINE

kind check "CREATE OR REPLACE FUNCTION look(account int) RETURNS int LANGUAGE sql STABLE
    AS 'SELECT -1';" <<END_OF_MACHINE
$opens
  look:
    args: {id: ids}
    sql: SELECT look(:id)
    check: result.value >= 0
END_OF_MACHINE

kind checked_invariant "CREATE OR REPLACE FUNCTION open(name text) RETURNS int LANGUAGE sql
    AS 'INSERT INTO accounts (owner, balance) VALUES (name, 7) RETURNING id';" <<END_OF_MACHINE
$opens
invariants:
  total:
    sql: SELECT coalesce(sum(balance), 0) FROM accounts
    check: result.value == 0
END_OF_MACHINE

kind unexpected "ALTER TABLE accounts ADD CONSTRAINT no_ann CHECK (owner <> 'ann');" <<END_OF_MACHINE
$opens
END_OF_MACHINE

kind missing "CREATE OR REPLACE FUNCTION refuse() RETURNS void LANGUAGE sql AS 'SELECT';" <<END_OF_MACHINE
$opens
  refuse:
    sql: SELECT refuse()
    raises: no_data_found
END_OF_MACHINE

kind different "CREATE OR REPLACE FUNCTION refuse() RETURNS void LANGUAGE plpgsql
    AS 'BEGIN RAISE unique_violation; END';" <<END_OF_MACHINE
$opens
  refuse:
    sql: SELECT refuse()
    raises: no_data_found
END_OF_MACHINE

kind timeout "CREATE OR REPLACE FUNCTION pass() RETURNS void LANGUAGE sql
    AS 'SELECT pg_sleep(60)';" <<END_OF_MACHINE
$opens
  wait:
    sql: SELECT pass()
settings:
  statement_timeout: 300ms
END_OF_MACHINE

kind deferred "CREATE OR REPLACE FUNCTION note(account int) RETURNS void LANGUAGE sql
    AS 'INSERT INTO entries VALUES (account + 1000)';" <<END_OF_MACHINE
$opens
  note:
    args: {id: ids}
    sql: SELECT note(:id)
END_OF_MACHINE

exit "$failed"
