#!/bin/sh
# Mutants that several processes share by a store.
#
#   PROGRAM=… sh tests/cli/store_mutate.sh [all]
#
# In a database that is tested as it is, whose locks tell the test where a process is.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT
psql -Xq -c 'CREATE DATABASE store' -c 'CREATE DATABASE tested'
PGFSM_STORE="postgresql://postgres:$SERVER_PASSWORD@127.0.0.1:$SERVER_PORT/store"
export PGFSM_STORE
ask() { psql -XAtq -d store -c "$1"; }
same() { # WHAT WANTED GOT
    [ "$2" = "$3" ] || complain "$1: $3, not $2"
}
plain() { sed -E 's/, [0-9.]+ m?s\b//' "$1"; }

psql -Xqd tested -c 'CREATE TABLE t (n integer CHECK (n >= 0), m integer NOT NULL DEFAULT 1)'
cat >t.yaml <<'END'
machine: t
settings: {steps: 6}
rules:
  add:
    args: {n: "integers(-1, 1)"}
    sql: INSERT INTO t (n) VALUES (:n)
    raises: check_violation if n < 0 else None
  wait: # on the schema without the constraint, for as long as the test holds the lock
    sql: >
      SELECT count(CASE WHEN NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 't'::regclass)
      THEN pg_advisory_xact_lock_shared(1) END)
END
mutates() { # STATUS OPTION...
    wanted_status=$1
    shift
    runs "$wanted_status" mutate t.yaml -d tested --no-schema --seed 7 --examples 4 --jobs 1 --report text "$@"
}
equals() { # WHAT
    plain out | diff whole - >difference || complain "$1: $(cat difference err)"
}
with=PGFSM_STORE= mutates 0
plain out >whole
mutants=$(sed -nE 's/^mutants  t  ([0-9]+):.*/\1/p' whole)
[ "$mutants" -ge 4 ] || complain "there are too few mutants: $(cat out err)"

lock() {
    psql -Xqd tested -c 'SELECT pg_advisory_lock(1)' -c 'SELECT pg_sleep(600)' >/dev/null 2>&1 &
    until_true locked true
}
unlock() { psql -Xqd tested -c "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted" >/dev/null; }
# shellcheck disable=SC2317 # called by until_true
locked() { [ -n "$(psql -XAtqd tested -c "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted = $1")" ]; }

# A process that is killed while it grades mutants loses them. In one database, no other process graded any meanwhile: a
# planted fault locks its table.
PGFSM_RUN_ID=killed
export PGFSM_RUN_ID
lock
begin mutate t.yaml -d tested --no-schema --seed 7 --examples 4 --jobs 1
process=$!
until_true locked false
kill -KILL $process
wait $process 2>/dev/null
unlock
same "what the killed process left" "1 t" "$(ask "SELECT count(*), bool_and(lease > now()) FROM pgfsm.chunk
    WHERE done IS NULL AND holder IS NOT NULL" | tr '|' ' ')"
ask "UPDATE pgfsm.chunk SET lease = now() - interval '1 s' WHERE lease IS NOT NULL"
mutates 0 --report json=other.json
equals "the other process"
mutates 0 --report json=late.json
equals "a process that comes when all is done"
same "mutants by their epochs" "0 1" "$(ask "SELECT count(*) FILTER (WHERE epoch = 1), count(*) FILTER (WHERE epoch = 2)
    FROM pgfsm.chunk WHERE done IS NOT NULL AND run = (SELECT id FROM pgfsm.run WHERE examples = $mutants)" | tr '|' ' ')"
runs 0 merge other.json late.json -d tested --no-schema --examples 4
equals "merged"

# A changed machine is another run.
runs_of() { ask "SELECT count(*) FROM pgfsm.run WHERE name = '$PGFSM_RUN_ID'"; }
same "runs of the id" 2 "$(runs_of)"
echo >>t.yaml
mutates 0
same "runs with a changed machine" 4 "$(runs_of)"

# Nothing is stored: what fails on a mutant is no failure of the schema.
same "failures" 0 "$(ask 'SELECT count(*) FROM pgfsm.failure')"
if [ "${1:-}" != all ]; then
    left_nothing
    finish
fi

# A process whose time is up gives its mutant back, and reports the others as not run.
PGFSM_RUN_ID='cut'
lock
begin mutate t.yaml -d tested --no-schema --seed 7 --examples 4 --jobs 1 --max-time 1s --report text --report json=cut.json
process=$!
# shellcheck disable=SC2317 # called by until_true
old() { [ "$(ps -o etimes= -p "$process")" -ge 2 ]; }
until_true locked false
until_true old
unlock
ends 0
out "not run"
same "mutants that are still held" 0 "$(ask "SELECT count(*) FROM pgfsm.chunk WHERE lease IS NOT NULL")"
mutates 0 --report json=whole.json
equals "the process that had time"
runs 0 merge cut.json whole.json -d tested --no-schema --examples 4
equals "merged with one that was cut"

# Ctrl-C gives the mutant back, too.
PGFSM_RUN_ID='interrupted'
lock
begin mutate t.yaml -d tested --no-schema --seed 7 --examples 4 --jobs 1
until_true locked false
kill -INT $!
ends 130
unlock
same "mutants that are still held" 0 "$(ask "SELECT count(*) FROM pgfsm.chunk WHERE lease IS NOT NULL")"
mutates 0
equals "the process after the interrupt"

# Rows are not trusted.
while IFS='|' read -r from to wanted; do
    ask "UPDATE pgfsm.chunk SET records = replace(records, '$from', '$to') WHERE run = (SELECT id FROM pgfsm.run
        WHERE name = 'interrupted' AND examples = $mutants)"
    mutates "$wanted"
    [ "$wanted" = 0 ] || err "the store: "
    out_lacks "$(printf '\033')"
    ! grep -q "^::error" out || complain "a line of a row: $(cat out)"
    ask "UPDATE pgfsm.chunk SET records = replace(records, '$to', '$from')"
done <<'END'
"verdict":"killed"|"verdict":"evil"|2
"verdict":"killed","by":"rule add: |"verdict":"timed out","by":"\u001b[31m\n::error::x|0
"id":"|"id":"x|2
"number"|"nothing"|0
"time_us":|"time_us":-|2
END

# So is another choice of mutants. A changed schema has other mutants, but the same examples.
PGFSM_RUN_ID=other
mutates 0 --only '*check*'
same "runs of some mutants" 2 "$(runs_of)"
mutates 0
psql -Xqd tested -c 'ALTER TABLE t ALTER m SET DEFAULT 2'
mutates 0
same "runs with a changed schema" 5 "$(runs_of)"

# Rules that kill survivors are looked for by whichever process, and told by each.
mkdir machines one two
sed '/^mutants:/,$d' "$top/machines/membership.yaml" >machines/offers.yaml
ln -s "$top/sql" sql
offers() { "$PROGRAM" mutate machines/offers.yaml --embedded --seed 7 --jobs 1 --only '*check*' --only '*policy*' --report text; }
PGFSM_STORE='' offers >out 2>err </dev/null
plain out >whole
holds whole "A rule that kills"
PGFSM_RUN_ID=offers
offers >one/out 2>one/err </dev/null &
offers >two/out 2>two/err </dev/null
wait $!
for folder in one two; do
    plain $folder/out | diff whole - >difference || complain "$folder: $(cat difference $folder/err)"
done
same "examples, mutants and causes" "0 3" "$(ask "SELECT count(*) FILTER (WHERE r.examples <> (SELECT count(*) FROM pgfsm.chunk
    WHERE run = r.id AND done IS NOT NULL AND epoch = 1)) - 1, count(*) FROM pgfsm.run AS r WHERE name = 'offers'" | tr '|' ' ')"

# A process that can't try them, as it gets no second database, leaves this to others.
psql -Xq -c "CREATE ROLE limited LOGIN CREATEDB PASSWORD 'x' CONNECTION LIMIT 2" -c 'CREATE DATABASE few OWNER limited'
echo 'CREATE TABLE t (n integer CHECK (n >= 0))' >few.sql
cat >few.yaml <<'END'
machine: few
schema: few.sql
settings: {steps: 6}
rules:
  add: {args: {n: "integers(1, 9)"}, sql: INSERT INTO t (n) VALUES (:n)}
END
few() { # USER
    runs 0 mutate few.yaml -d "postgresql://$1@127.0.0.1:$SERVER_PORT/few" --seed 7 --examples 4 --jobs 1 --report text
}
PGFSM_RUN_ID=few
few limited:x
out_lacks "A rule that kills"
few "postgres:$SERVER_PASSWORD"
out "A rule that kills"

# Without an id, there is nothing to share.
unset PGFSM_RUN_ID
with=PGFSM_STORE=postgresql://nobody@127.0.0.1:1/none mutates 0
left_nothing
finish
