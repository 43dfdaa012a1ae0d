#!/bin/sh
# Values come through replay scripts unchanged: hostile texts, and values of every type.
set -u

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/replay_kind.sh"

server_start tcp
cd "$SERVER_DIR" || exit 1
createdb empty

# A digest that this script computes itself, without pgfsm and the server, verifies the values that
# arrive.

mkdir probe
injected=$PWD/probe/injected

# hostile NAME TEXT: TEXT is sent and returned, and the returned value is sent again and compared.
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

ways=socket
# typed NAME TYPE EXPRESSION TEXT: the value arrives in a column of the type, with that text.
typed() {
    case $2 in citext | hstore) extension="CREATE EXTENSION IF NOT EXISTS $2;" ;; *) extension= ;; esac
    cat >schema.sql <<SQL
$extension
CREATE TYPE mood AS ENUM ('sad', 'it''s ok');
CREATE TYPE pair AS (a int, b text);
CREATE DOMAIN small AS int CHECK (VALUE < 100);
CREATE TABLE kept (x $2);
CREATE FUNCTION shown() RETURNS SETOF text LANGUAGE sql STABLE AS \$\$ SELECT coalesce(x::text, 'NULL') FROM kept \$\$;
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
typed null text None NULL
typed char 'char(4)' '"ab"' ab
typed varchar 'varchar(9)' '"ab "' 'ab '
typed citext citext '"aBc"' aBc
typed empty_bytes bytea 'b""' '\\x'
typed numeric_nan numeric '"NaN"' NaN
typed numeric_infinity numeric '"-Infinity"' -Infinity
typed numeric_long numeric '"0.000000000000000000000000000000123456789012345678901234567890"' \
    0.000000000000000000000000000000123456789012345678901234567890
typed float_nan 'double precision' 'float("nan")' NaN
typed float_infinity real 'float("-inf")' -Infinity
typed float_minus_zero 'double precision' 'float("-0")' -0
typed float_small 'double precision' 5e-324 5e-324
typed real real 0.1 0.1
typed infinity date '"infinity"' infinity
typed bc date '"0044-03-15 BC"' '0044-03-15 BC'
typed moment_bc timestamp '"0001-12-31 23:59:59.999999 BC"' '0001-12-31 23:59:59.999999 BC'
typed minus_infinity timestamptz '"-infinity"' -infinity
typed time timetz '"23:59:60+05:30"' '24:00:00+05:30'
typed span_negative interval '"-1 year +2 mons -00:00:00.000001"' '-10 mons -00:00:00.000001'
typed json_text json '{"b": 1.50, "a": "\u2028"}' '{\"b\":1.50,\"a\":\"\u2028\"}'
typed json_scalar jsonb '"it''s"' '\"it''s\"'
typed nested 'int[]' '[[1, None], [3, 4]]' '{{1,NULL},{3,4}}'
typed no_items 'text[]' '[]' '{}'
typed null_text 'text[]' '["NULL", None, "\\"]' '{\"NULL\",NULL,\"\\\\\"}'
typed pair_null pair '(None, "")' '(,\"\")'
typed pairs 'pair[]' '[(1, "a,b")]' '{\"(1,\\\"a,b\\\")\"}'
typed moods 'mood[]' "[\"it''s ok\", \"sad\"]" "{\\\"it''s ok\\\",sad}"
typed range int4range '"[1,5]"' '[1,6)'
typed open_range tstzrange '"(,2024-01-01 00:00:00+00]"' '(,\"2024-01-01 00:00:00+00\"]'
typed empty_range numrange '"empty"' empty
typed ranges int4multirange '"{[1,3),[5,9)}"' '{[1,3),[5,9)}'
typed bits 'bit(4)' '"1010"' 1010
typed varbits varbit '""' ''
typed words tsvector '"fat:2A cat:1"' "''cat'':1 ''fat'':2A"
typed query tsquery '"a & !b"' "''a'' & !''b''"
typed xml xml '"<a>\u00e9 &lt;</a>"' "$(printf '<a>\303\251 &lt;</a>')"
typed hstore hstore '"a=>\"x'"''"'y\", b=>NULL"' "\\\"a\\\"=>\\\"x''y\\\", \\\"b\\\"=>NULL"
typed mac macaddr '"08:00:2b:01:02:03"' 08:00:2b:01:02:03
typed network cidr '"10.0.0.0/8"' 10.0.0.0/8
typed money money '"12.50"' "\$12.50"
typed table regclass '"kept"' kept
typed lsn pg_lsn '"16/B374D848"' 16/B374D848

# returned NAME TYPE TEXT EXPRESSION: the value of that text is the one that the model expects.
returned() {
    cat >schema.sql <<SQL
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TYPE pair AS (a int, b text);
CREATE VIEW given AS SELECT '$3'::$2 AS x;
SQL
    kind "returned_$1" "CREATE OR REPLACE VIEW given AS SELECT NULL::$2 AS x;" <<MACHINE
rules:
  look:
    sql: SELECT x FROM given
    expect: '[($4,)]'
MACHINE
}

returned char 'char(4)' xyz '"xyz"'
returned chars 'char(4)[]' '{xyz,a}' '["xyz ", "a   "]'
returned bits 'bit(4)' 1010 '"1010"'
returned bit_array 'bit(4)[]' '{1010}' '["1010"]'
returned moods 'mood[]' '{sad,happy}' '["sad", "happy"]'
returned pair pair '(1,x)' '(1, "x")'
returned pairs 'pair[]' '{"(1,x)","(2,\"y z\")"}' '[(1, "x"), (2, "y z")]'
returned documents 'json[]' '{"{\"a\":1}"}' '[{"a": 1}]'

exit "$failed"
