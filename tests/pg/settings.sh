#!/bin/sh
# Settings that a role, a database or a server may have: a run finds the same whatever they are. The server speaks German,
# so nothing is recognised by the words of a message.
set -u
export LANGUAGE=de # of messages in any locale but C
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/../cli/common.sh"
server_start socket
unset LANGUAGE
common_begin
trap 'common_end; server_stop' EXIT

psql -qX --set ON_ERROR_STOP=1 <<'END'
CREATE ROLE plain LOGIN CREATEDB;
CREATE DATABASE plain OWNER plain;
CREATE ROLE other LOGIN CREATEDB;
CREATE DATABASE other OWNER other;
ALTER ROLE other SET DateStyle = 'SQL, DMY';
ALTER ROLE other SET IntervalStyle = 'sql_standard';
ALTER ROLE other SET TimeZone = 'Asia/Kathmandu';
ALTER ROLE other SET bytea_output = 'escape';
ALTER ROLE other SET extra_float_digits = -5;
ALTER ROLE other SET standard_conforming_strings = off;
ALTER ROLE other SET array_nulls = off;
ALTER ROLE other SET transform_null_equals = on;
ALTER ROLE other SET quote_all_identifiers = on;
ALTER ROLE other SET row_security = off;
ALTER ROLE other SET client_min_messages = log;
ALTER ROLE other SET client_encoding = 'LATIN1';
ALTER ROLE other SET plan_cache_mode = 'force_generic_plan';
ALTER ROLE other SET statement_timeout = '60s';
ALTER ROLE other SET idle_session_timeout = '60s';
ALTER ROLE other SET default_transaction_read_only = on;
END

cat >things.sql <<'END'
CREATE TABLE things (
    id int PRIMARY KEY, name text UNIQUE, list int[], at timestamptz, span interval, code bytea, ratio float8
);
END
cat >things.yaml <<'END'
machine: things
schema: things.sql
settings: {seed: 1, examples: 10, steps: 10}
model: things = {}
rules:
  add:
    args:
      id: integers(1, 9)
      name: 'sampled_from(["nüß", "b\\"])'
      list: lists(integers(1, 9) | none(), max_size=3)
      at: datetimes("2020-01-01", "2020-12-31")
      ratio: sampled_from([0.1, 1e-7])
    sql: |
      INSERT INTO things VALUES (:id, :name || :id, :list, :at, '1 month 2 days', '\x5c00ff', :ratio)
    model: |
      things[id] = (name + str(id), list, at, ratio)
    raises: unique_violation if id in things else None
invariants:
  all:
    sql: SELECT id, name, list, at, ratio FROM things
    expect: things
  forms:
    sql: SELECT DISTINCT span::text, code::text, '\\' FROM things
    expect: '[("1 mon 2 days", "\\x5c00ff", "\\\\")] if things else []'
END
sed 's/things\[id\] = .*/things[id] = (name, list, at, ratio)/' things.yaml >wrong.yaml

# Without times, and without remarks on arguments: a slow server has no time left for them.
timeless() {
    sed 's/, [0-9.]* s\b//; /^ *again /d; /^ *replay /d; s/ -[dU] [a-z]*//g; s/ *# .*//' out
}
for options in '' --in-place --commit; do
    for machine in things wrong; do
        # Shrinking committed steps takes long; by night ($PGFSM_TEST_ALL).
        [ "$machine$options" != wrong--commit ] || [ -n "$TEST_ALL" ] || continue
        status=0
        [ $machine = things ] || status=1
        # shellcheck disable=SC2086
        runs $status run $machine.yaml -d plain -U plain --no-save $options
        timeless >plain
        # shellcheck disable=SC2086
        runs $status run $machine.yaml -d other -U other --no-save $options
        timeless | diff plain - || complain "$said: the settings of the role change the report"
    done
done
# A transaction that is serializable, read only and deferrable waits for all others to end. Those of our own don't.
psql -qX --command "ALTER ROLE other SET default_transaction_isolation = 'serializable'" \
    --command 'ALTER ROLE other SET default_transaction_deferrable = on'
runs 0 run things.yaml -d other -U other --no-save --sessions 2 --examples 3
left_nothing

psql -qX --command 'SELECT 1/0' 2>&1 | grep -q 'Division durch Null' || {
    echo "SKIPPED: the server has no German messages"
    exit $((checks_failed ? 1 : 77))
}
echo 'SELECT nothing;' >bad.sql
sed 's/things.sql/bad.sql/' things.yaml >bad.yaml
runs 2 run bad.yaml -d plain -U plain --no-save
err 'bad.sql:1:8: error: Spalte »nothing« existiert nicht'
echo 'CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION f();' >bad.sql
runs 2 run bad.yaml -d plain -U plain --no-save
err 'n administrator can grant the right; or test on the embedded server'

# The script of a difference says where a side stops.
printf 'CREATE TABLE n (n int);\n' >old.sql
echo 'ALTER TABLE n ADD CHECK (n < 5);' >new.sql
cat >n.yaml <<'END'
machine: n
schema: old.sql
rules:
  add: {args: {n: "integers(1, 9)"}, sql: INSERT INTO n VALUES (:n)}
END
runs 1 diff n.yaml --apply new.sql --seed 1 --max-failures 1
runs 1 replay counterexamples/n-migrate-*.sql
out '# +     it stops: FEHLER:  Check-Constraint'
finish
