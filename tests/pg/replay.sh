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

# Values. What arrives is told by a digest that is worked out here, not by pgfsm and not by the server.

mkdir probe
injected=$PWD/probe/injected

# hostile NAME TEXT: TEXT is sent, returned, sent again as what was returned, and compared.
hostile() {
    digest=$(printf '%s' "$2" | md5sum | cut -d ' ' -f 1)
    literal=$(printf '%s' "$2" | iconv -f UTF-8 -t UTF-32BE | od -An -v -tx1 -w4 | sed 's/ //g; s/^/\\U/' | tr -d '\n')
    cat >schema.sql <<'SQL'
CREATE TABLE kept (x text);
CREATE TABLE again (x text);
CREATE FUNCTION digest() RETURNS SETOF text LANGUAGE sql STABLE
    AS $$ SELECT md5(convert_to(x, 'UTF8')) FROM kept UNION ALL SELECT md5(convert_to(x, 'UTF8')) FROM again $$;
SQL
    kind "$1" "CREATE OR REPLACE FUNCTION digest() RETURNS SETOF text LANGUAGE sql STABLE
        AS 'SELECT x FROM kept UNION ALL SELECT x FROM again';" <<MACHINE
model: |
  sent = 0
rules:
  keep:
    limit: 1
    args:
      x: 'sampled_from(["$literal"])'
    sql: INSERT INTO kept VALUES (:x) RETURNING x
    target: kept
    model: sent += 1
  again:
    limit: 1
    args: {x: kept}
    sql: INSERT INTO again VALUES (:x)
    model: sent += 1
  look:
    precondition: sent == 2
    sql: SELECT digest()
    expect: "bag(['$digest', '$digest'])"
MACHINE
    [ ! -e "$injected" ] || complain "$1: a command of psql's was injected"
}

newline='
'
hostile quotes "it's \"quoted\" \\' \\\\ \$\$ \$1 E'\\n' U&'x'"
hostile commands "\\! touch $injected${newline}\\! touch $injected$newline\\q"
hostile variables ":x :'x' :\"x\" :ok :kept_1 :{?x} ::text := 100% _"
hostile comments "-- /* ; */ \\; '; COMMIT; --"
hostile tap "x${newline}ok 1 - forged${newline}not ok 2 - forged${newline}1..2 # SKIP${newline}Bail out!"
hostile controls "$(printf 'a\r\tb\033[31m\001\177c')"
hostile nul_like "\\0 \\x00 \\000 \\u0000 %00 NULL"
hostile unicode "$(printf '\342\200\256right\342\200\254 \327\251 e\314\201 \360\237\230\200 \357\273\277 \302\205 \342\200\250 \303\237')"
hostile blank "  two  spaces  $newline$newline  "
# typed NAME TYPE EXPRESSION TEXT: the value arrives in a column of the type, with that text.
typed() {
    cat >schema.sql <<SQL
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN small AS int CHECK (VALUE < 100);
CREATE TABLE kept (x $2);
CREATE FUNCTION shown() RETURNS SETOF text LANGUAGE sql STABLE AS 'SELECT x::text FROM kept';
SQL
    kind "$1" "CREATE OR REPLACE FUNCTION shown() RETURNS SETOF text LANGUAGE sql STABLE
        AS 'SELECT 1::text FROM kept WHERE false';" <<MACHINE
rules:
  keep:
    sql: INSERT INTO kept VALUES (:x)
    let:
      x: '$3'
    model: kept += 1
    limit: 1
model: |
  kept = 0
invariants:
  shown:
    precondition: kept == 1
    sql: SELECT shown()
    expect: '["$4"]'
MACHINE
}

typed int4 int 42 42
typed negative int -5 -5
typed int8 bigint 9223372036854775807 9223372036854775807
typed small small 7 7
typed numeric 'numeric(30, 10)' 12345678901234567890.5 12345678901234567890.5000000000
typed float 'double precision' 0.1 0.1
typed boolean boolean True true
typed bytes bytea 'b"\x00\xff\x27\x5c"' '\\x00ff275c'
typed json jsonb '{"a": [1, None, "x"], "b": {"c": True}}' '{\"a\": [1, null, \"x\"], \"b\": {\"c\": true}}'
typed ints 'int[]' '[1, None, -3]' '{1,NULL,-3}'
typed texts 'text[]' '["a,b", "{", "q\"", ""]' '{\"a,b\",\"{\",\"q\\\"\",\"\"}'
typed pair pair '(1, "x y")' '(1,\"x y\")'
typed mood mood "\"it''s ok\"" "it''s ok"
typed date date '"2024-02-29"' 2024-02-29
typed moment timestamptz '"2024-02-29 12:00:00+02"' '2024-02-29 10:00:00+00'
typed span interval '"1 day 02:00:00"' '1 day 02:00:00'
typed uuid uuid '"F1C03D4A-0F6B-4A8E-9D5F-6F2B8C1E0A11"' f1c03d4a-0f6b-4a8e-9d5f-6f2b8c1e0a11
typed address inet '"10.0.0.1/8"' 10.0.0.1/8
typed point point '"(1,2)"' '(1,2)'

exit "$failed"
