#!/bin/sh
# --watch: runs again when a machine, a file of its schema or of --apply changes, once for several changes, and ends
# with Ctrl-C; list: the content of the machines.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

mkdir machines sql more
echo 'CREATE TABLE t (n int); \ir ../more/included.sql' >sql/1.sql
echo 'CREATE TABLE included ();' >more/included.sql
cat >machines/t.yaml <<'END'
machine: t
description: 'says "so"	here'
schema: ../sql/*.sql
rules:
  put: {sql: INSERT INTO t VALUES (1)}
  read: {sql: SELECT n FROM t}
invariants:
  ones: {sql: SELECT count(*) FROM t WHERE n <> 1, expect: 0}
END
echo 'machine: empty' >machines/empty.yaml

runs 2 list machines
out "t  machines/t.yaml"
out "  rule       put"
out "  invariant  ones"
err "machines/empty.yaml"
rm machines/empty.yaml
runs 0 list --format json machines/t.yaml
out '{"machine":"t","path":"machines/t.yaml","description":"says \"so\"\u0009here","rules":["put","read"],"invariants":["ones"],"properties":['
out '"files":["machines/t.yaml","'
runs 2 list
err "list FILE..."

# runs_more COUNT: that many reports, and it waits for the next change.
count=0
has_run() { [ "$(grep -c 'waiting for a change' err)" = "$1" ]; }
again() {
    count=$((count + 1))
    until_true has_run "$count"
}
begin run --examples 2 --watch --out . machines --apply more/applied.sql
# A mistake at first may be corrected later.
again
err "can't open more/applied.sql"
echo 'SELECT 1;' >more/applied.sql
again
out "ok  t  2 examples"
err "more/applied.sql changed"
# An editor replaces the file; a file that matches the pattern is new; one that is included changes.
sed 's/expect: 0/expect: 1/' machines/t.yaml >new
mv new machines/t.yaml
again
out "FAIL  t"
err "machines/t.yaml changed"
echo 'INSERT INTO t VALUES (2);' >sql/2.sql
again
err "sql/2.sql changed"
out "ok  t  2 examples"
echo 'CREATE TABL included ();' >more/included.sql
again
err "more/included.sql:1:8: error"
rm sql/2.sql
again
err "pgfsm: sql/2.sql was removed"
# An editor's own files and scripts that the run writes don't count as changes. Changes at the same
# time count once.
echo x >machines/.t.yaml.swp
echo x >'machines/t.yaml~'
echo 'CREATE TABLE included ();' >more/included.sql
cp machines/t.yaml new
mv new machines/t.yaml
cp sql/1.sql sql/3.sql
mv sql/3.sql sql/1.sql
again
said="pgfsm run --watch"
kill -INT $!
ends 1
[ "$(grep -c 'waiting for a change' err)" = "$count" ] || complain "ran $(grep -c waiting err) times, not $count"
left_nothing

# Ctrl-C while it runs.
cat >machines/t.yaml <<'END'
machine: t
rules:
  wait: {sql: SELECT pg_sleep(60) IS NULL}
END
begin check --watch machines/t.yaml -d postgres
again_count=$count
count=0
again
kill -INT $!
ends 0
count=$again_count
is_asleep() { [ "$(psql -qXAtc "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")" = 1 ]; }
begin run --watch --no-save machines/t.yaml -d postgres
until_true is_asleep
kill -INT $!
ends 130
left_nothing
finish
