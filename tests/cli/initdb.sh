#!/bin/sh
# A run that is interrupted while initdb makes the data directory. If a server that initdb started is killed, its shared
# memory remains: files in /dev/shm, and System V segments.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
echo 'CREATE TABLE t (n int);' >simple.sql
cat >simple.yaml <<END
machine: simple
schema: simple.sql
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END

# The cache has no data directory, so initdb runs.
XDG_CACHE_HOME=$DIR/cache
export XDG_CACHE_HOME

# Notes the shared memory that the bootstrap server of the run has mapped: "file /dev/shm/PostgreSQL.1", "sysv 32769".
has_memory() {
    grep -lsF -e --boot /proc/[0-9]*/cmdline | while read -r program; do
        case $(readlink "${program%/*}/cwd") in
        "$TMPDIR"*)
            sed -n 's|.* \(/dev/shm/PostgreSQL\.[0-9]*\)$|file \1|p
                s|.* \([0-9]*\) */SYSV.*|sysv \1|p' "${program%/*}/maps" 2>/dev/null
            ;;
        esac
    done | sort -u >memory
    grep -q ^file memory && grep -q ^sysv memory
}
memory_left() {
    while read -r kind name; do
        case $kind in
        file) [ ! -e "$name" ] || echo "$name" ;;
        sysv) awk -v id="$name" '$2 == id { print "segment", id }' /proc/sysvipc/shm ;;
        esac
    done <memory
}
memory_gone() { [ -z "$(memory_left)" ]; }

# initdb may end before the test sees it. Then the test starts another run, with an empty cache.
begin_initdb() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf "$XDG_CACHE_HOME"
        begin run --embedded --no-save simple.yaml
        until has_memory || ! kill -0 $! 2>/dev/null; do :; done
        ! has_memory || return 0
        wait $!
    done
    complain "$said: initdb was not seen at work"
}

for signal in INT TERM; do
    begin_initdb
    kill -s "$signal" $!
    ends 130
    memory_gone || complain "$said, $signal: left behind: $(memory_left)"
    left_nothing
done

# After a second Ctrl-C, or a signal that pgfsm can't handle, initdb ends on its own. The next run removes its folder.
for signals in "INT INT" KILL; do
    begin_initdb
    for signal in $signals; do
        kill -s "$signal" $!
    done
    wait $!
    until_true memory_gone
done
runs 0 run --embedded --no-save --examples 1 simple.yaml
left_nothing
finish
