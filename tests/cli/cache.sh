#!/bin/sh
# The cache of loaded databases: the same files are loaded only once, other files are loaded again, and changes that a
# load makes outside of the database are not lost.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
XDG_CACHE_HOME=$DIR/cache
export XDG_CACHE_HOME

# A schema that takes its time to load, and says when that was.
cat >slow.sql <<'END'
DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'cached') THEN CREATE ROLE cached; END IF; END $$;
ALTER ROLE cached SET work_mem = '5MB';
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET app.name = cached', current_database()); END $$;
CREATE TABLE loaded AS SELECT clock_timestamp() AS at FROM pg_sleep(0.35);
CREATE SEQUENCE s;
SELECT nextval('s');
\ir more/second.sql
END
mkdir more
echo '\ir third.sql' >more/second.sql
echo 'CREATE TABLE third (n int);' >more/third.sql
cat >slow.yaml <<'END'
machine: slow
schema: slow.sql
rules:
  show:
    sql: SELECT at::text, current_setting('app.name'), nextval('s') FROM loaded
    check: print(result.row.at) == None
  role:
    sql: SELECT setconfig[1] FROM pg_db_role_setting JOIN pg_roles r ON r.oid = setrole WHERE rolname = 'cached'
    expect: '"work_mem=5MB"'
  name: {sql: "SELECT current_setting('app.name')", expect: '"cached"'}
END
entries() { find "$XDG_CACHE_HOME/pgfsm" -maxdepth 1 -name 'loaded-*' 2>/dev/null | wc -l; }
# loads STATUS COUNT WORD...: runs; when the schema was loaded is in $at; COUNT entries are there then.
loads() {
    count=$2
    wanted_status=$1
    shift 2
    runs "$wanted_status" run --seed 1 --examples 2 --no-save "$@"
    at=$(grep '^20' err | head -n 1)
    [ "$(entries)" = "$count" ] || complain "$said: $(entries) entries, not $count"
}
same() { [ "$at" = "$before" ] || complain "$said: loaded anew"; }
anew() { [ "$at" != "$before" ] || complain "$said: not loaded anew"; }

# With --no-cache, the cache is neither read nor written.
loads 0 0 --no-cache slow.yaml
[ -n "$at" ] || complain "nothing is printed"
loads 0 1 slow.yaml
before=$at
loads 0 1 slow.yaml
same
loads 0 1 --no-cache slow.yaml
anew
loads 0 1 --jobs 2 slow.yaml
same
# Two machines of one command line, between them one that is never kept.
# shellcheck disable=SC2016 # for psql
echo 'CREATE TABLE t (); \set x `true`' >quick.sql
sed 's/slow/quick/; s/slow.sql/quick.sql/; /show:/,/check:/d; /name:/d; s/role:/idle: {sql: SELECT 1}/; /setconfig/d; /expect/d' \
    slow.yaml >quick.yaml
loads 0 1 slow.yaml quick.yaml slow.yaml
same
out "3 machines: 3 ok"
# If a file changes, it is loaded again: an included file, or one of --apply.
echo 'CREATE TABLE third (n int8);' >more/third.sql
loads 0 2 slow.yaml
anew
before=$at
loads 0 2 slow.yaml
same
echo 'CREATE TABLE applied ();' >applied.sql
loads 0 3 slow.yaml --apply applied.sql
anew
loads 0 3 slow.yaml
same
# One that no longer loads.
echo 'CREATE TABLE loaded (n int8);' >more/third.sql
loads 2 3 slow.yaml
err 'more/third.sql:1:1: error: relation "loaded" already exists'
echo 'CREATE TABLE third (n int8);' >more/third.sql

# Schemas that a copy would not reproduce are never cached. The unit test of pg/ingredients.c covers
# inputs that are not files.
for more in 'CREATE UNLOGGED TABLE u (n int);' "ALTER SYSTEM SET work_mem = '6MB';"; do
    cp slow.sql other.sql
    echo "$more" >>other.sql
    sed 's/slow.sql/other.sql/' slow.yaml >other.yaml
    loads 0 3 other.yaml
done

# An entry of a schema that reads the time is valid for ten minutes. Other entries are valid until a file changes. Each
# schema has one entry.
loads 0 3 slow.yaml
sed 's/clock_timestamp()/20 + random()/' slow.sql >timeless.sql
sed 's/slow/timeless/; s/slow.sql/timeless.sql/' slow.yaml >timeless.yaml
loads 0 4 timeless.yaml
before=$at
touch -m -d '2 days ago' "$XDG_CACHE_HOME"/pgfsm/loaded-*
loads 0 4 timeless.yaml
same
loads 0 4 slow.yaml
anew
before=$at
loads 0 4 slow.yaml
same

# A damaged entry is removed with a message, and an entry that others may write to is not used. In
# both cases the schema is loaded again.
loads 0 4 slow.yaml
same
# shellcheck disable=SC2012 # names of ours
entry=$(ls -tu "$XDG_CACHE_HOME"/pgfsm/loaded-* | head -n 1)
# shellcheck disable=SC2016 # for eval
for harm in 'truncate -s 1000000 "$entry"' ': >"$entry"' 'printf x | dd of="$entry" bs=1 seek=5000000 conv=notrunc'; do
    eval "$harm" 2>harm.err
    loads 0 4 slow.yaml
    anew
    err "the cache is damaged: $entry is removed"
    before=$at
    loads 0 4 slow.yaml
    same
    err_lacks damaged
done
chmod g+w "$entry"
loads 0 4 slow.yaml
anew
# No space, no folder: no cache. No server writes a file of 6 MB.
mv cache cache.away
(
    trap '' XFSZ
    ulimit -f 12000
    runs 0 run --examples 2 --no-save slow.yaml
    exit "$checks_failed"
) || complain "a full disk"
[ -z "$(ls -A cache/pgfsm)" ] || complain "$said: half an entry is left"
rm -r cache
echo "no folder" >cache
runs 0 run --examples 2 --no-save slow.yaml
rm cache
mv cache.away cache

# The command.
runs 0 cache
out "5 databases, "
out "$XDG_CACHE_HOME/pgfsm"
runs 2 cache claer
err "cache clear"
runs 0 cache clear
out "removed 5 databases, "
[ -z "$(ls -A "$XDG_CACHE_HOME/pgfsm")" ] || complain "something is left in the cache"
runs 0 cache
out "0 databases, 0 MB"
# Each machine of a run is found in the cache. With or without the cache, a machine does not see what an earlier one
# left, such as roles.
sed 's/cached/alone/g' slow.sql >alone.sql
cat >alone.yaml <<'END'
machine: alone
schema: alone.sql
rules:
  theirs: {sql: "SELECT count(*) FROM pg_roles WHERE rolname = 'cached'", expect: 0}
  show: {sql: "SELECT at::text FROM loaded", check: "print('alone', result.row.at) == None"}
END
loads 0 2 slow.yaml alone.yaml
before=$at
theirs=$(grep '^alone' err | head -n 1)
loads 0 2 slow.yaml alone.yaml
same
[ "$(grep '^alone' err | head -n 1)" = "$theirs" ] || complain "$said: the second machine is loaded anew"
loads 0 2 --no-cache slow.yaml alone.yaml ${TEST_ALL:+slow.yaml}
runs 0 cache clear
# Two runs at the same time, one of which is killed: the entries of the cache are complete.
"$PROGRAM" run --examples 2 --no-save slow.yaml >/dev/null 2>&1 &
one=$!
"$PROGRAM" run --examples 2 --no-save slow.yaml >/dev/null 2>&1 &
two=$!
until_true test -d "$XDG_CACHE_HOME/pgfsm"
kill -KILL $one
wait $one 2>/dev/null
wait $two || complain "the other run failed"
loads 0 1 slow.yaml
until_true nothing_left
left_nothing
finish
