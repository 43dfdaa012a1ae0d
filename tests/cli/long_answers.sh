#!/bin/sh
# The size of an answer is limited: pgfsm stops reading a longer one and names its statement, whether it runs ahead,
# step by step or on two connections. A long error message of the server is truncated.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo "CREATE TABLE t (n int);" >long.sql
machine() { # RULE INVARIANT
    cat >long.yaml <<END
machine: long
schema: long.sql
model: n = 0
rules:
  add: {sql: INSERT INTO t VALUES (1), model: n += 1}
  rows: {sql: "$1"}
invariants:
  count: {sql: "$2", expect: n}
END
}
too_long() { # WHAT PLACE [WAY...]
    what=$1
    place=$2
    shift 2
    for way in "" "$@"; do
        # shellcheck disable=SC2086 # words
        runs 2 run --embedded --no-save --seed 1 --examples 5 long.yaml $way
        err "long.yaml:$place: error: $what: the server's answer is longer than 64 MiB"
        err "hint: make the statement return less"
        out "the run could not continue"
    done
}

machine "SELECT repeat('x', 1000000) FROM generate_series(1, 200)" "SELECT count(*) FROM t"
too_long "rule rows" 6:16 --no-pipeline "--jobs 2" --in-place
# psql's output is not kept. Tested once only, because psql takes four seconds.
echo "CREATE TABLE t (n int); SELECT repeat('x', 1000) FROM generate_series(1, 100000);" >long.sql
machine "SELECT 1" "SELECT repeat('x', 1000000) FROM generate_series(1, 200)"
too_long "invariant count" 8:17 --in-place
echo "CREATE TABLE t (n int);" >long.sql
machine "SELECT repeat('x', 80000000)" "SELECT count(*) FROM t"
too_long "rule rows" 6:16

# A function's message, detail and context.
cat >long.sql <<'END'
CREATE TABLE t (n int);
CREATE FUNCTION complain() RETURNS void LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'm%', repeat('x', 3000000) USING DETAIL = repeat(E'line\n', 50000); END $$;
END
machine "SELECT complain()" "SELECT count(*) FROM t"
runs 1 run --embedded --no-save --seed 1 --examples 5 long.yaml
out "more lines"
[ "$(wc -c <out)" -lt 5000 ] || complain "$said: $(wc -c <out) bytes"
left_nothing
finish
