#!/bin/sh
# A function that changes session settings on which the text form of values depends: later values are read and written
# as before, in a run and in a replay script, with and without commits. By day it tests the settings that change how bytes
# and dates are written, the encoding, and the quoting; by night ($PGFSM_TEST_ALL) also the others.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >right.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, b bytea, d date, f float8, s text, n int[], i interval, z timestamptz, m money,
    c regclass);
CREATE FUNCTION style(name text, value text) RETURNS void LANGUAGE plpgsql AS
    $$ BEGIN PERFORM set_config(name, value, false); END $$;
CREATE FUNCTION spoil() RETURNS void LANGUAGE sql AS 'SELECT';
END
{
    sed '/spoil/d' right.sql
    echo "CREATE FUNCTION spoil() RETURNS void LANGUAGE sql AS 'UPDATE t SET id = -id'"
} >wrong.sql

# style NAME VALUE: in the function's arguments, and in its text.
style() {
    cp right.sql schema.sql
    cat >styles.yaml <<END
machine: styles
schema: schema.sql
settings: {examples: 10, steps: 8, seed: 1}
model: |
  rows = {}
  styled = False
rules:
  add:
    args:
      id: integers(1, 5)
      b: binary()
      d: dates()
      f: floats()
      s: text()
      n: lists(none() | integers(0, 9), max_size=3)
    where: id not in rows
    sql: |
      INSERT INTO t VALUES (:id, :b, :d, :f, :s, :n, '1 day 2 hours', '2020-01-01 00:00:00+00', 12.5,
                            'information_schema.columns')
    model: rows[id] = (b, d, f, s, n)
  style:
    args: {name: 'just("$1")', value: 'just("$2")'}
    sql: SELECT style(:name, :value), '\\000\\\\a'::bytea AS b
    check: result.row.b == bytes([0, 92, 97])
    model: styled = True
  spoil:
    precondition: styled and rows
    sql: SELECT spoil()
invariants:
  same:
    sql: SELECT id, b, d, f, s, n, i, z, m, c::text FROM t
    expect: |
      bag([(id,) + row + ("1 day 02:00:00", "2020-01-01 00:00:00+00", "\$12.50", "information_schema.columns")
           for id, row in rows.items()])
END
    for mode in '' --no-pipeline --commit '--sessions 2'; do
        # shellcheck disable=SC2086 # one word or two
        runs 0 run styles.yaml --no-save $mode
    done
    rm -rf counterexamples
    for mode in '' --commit; do
        cp wrong.sql schema.sql
        # shellcheck disable=SC2086
        runs 1 run styles.yaml $mode
        out "invariant same after spoil (step 3): missing (id=1, "
        runs 1 replay counterexamples/styles-same.sql
        cp right.sql schema.sql
        runs 0 replay counterexamples/styles-same.sql
        rm -rf .pgfsm counterexamples
    done
}
style bytea_output escape
style DateStyle 'SQL, DMY'
style client_encoding LATIN1
style standard_conforming_strings off
if [ -n "$TEST_ALL" ]; then
    style IntervalStyle iso_8601
    style TimeZone Asia/Tokyo
    style extra_float_digits -3
    style array_nulls off
    style quote_all_identifiers on
fi

# Named in the function itself.
sed -i "s/set_config(name, value, false)/set_config('bytea_output', 'escape', false)/" right.sql wrong.sql
style '' ''
grep -q bytea_output styles.yaml && complain "the setting is named elsewhere"
finish
