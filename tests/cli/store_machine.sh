#!/bin/sh
# Tests the SQL of a store with a machine: the statements of the program's own files, with sessions that die.
#
#   PROGRAM=… sh tests/cli/store_machine.sh [all|fences]
#
# all: more examples, of one, two and three sessions. fences: the machine fails without any of them. It needs no server.
set -u
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
sql=$top/src/pg/sql/store
common_begin
trap common_end EXIT
no_database

# Writes store.yaml in a folder, with the statements of another one.
make() { # FOLDER STATEMENTS one|several
    mkdir -p "$1"
    cp "$2/migration_1.sql" "$1/schema.sql"
    awk -v from="$2" -v sessions="$3" '
    /^ *@free / {
        split(substr($0, index($0, "@free") + 6), way, "|")
        print substr($0, 1, index($0, "@") - 1) (sessions == "one" ? way[1] : way[2])
        next
    }
    /^ *@/ {
        indent = substr($0, 1, index($0, "@") - 1)
        count = split(substr($0, length(indent) + 2), word, " ")
        file = from "/" word[1] ".sql"
        while ((getline line < file) > 0) {
            if (line ~ /^--/)
                continue
            for (i = count; i > 1; i--)
                gsub("[$]" (i - 1), "(" word[i] ")", line)
            print indent line
        }
        close(file)
        next
    }
    { print }' "$top/tests/cli/store_machine/store.yaml.in" >"$1/store.yaml"
}

# Without a fence, or without the lock, the machine fails.
broken() { # FILE SED-EXPRESSION
    rm -rf statements broken
    cp -r "$sql" statements
    sed -i "$2" "statements/$1.sql"
    ! cmp -s "$sql/$1.sql" "statements/$1.sql" || complain "$1: nothing to break: $2"
    make broken statements "${3:-one}"
    # shellcheck disable=SC2086 # words
    runs 1 run broken/store.yaml --seed 1 --examples 300 --no-save ${4:---commit}
}
if [ "${1:-}" = fences ]; then
    epoch='s/AND [cf].epoch = $[0-9]::pg_catalog.int8//'
    for file in "done" renew_chunk give_back save renew_failure release forget; do
        broken $file "$epoch"
    done
    broken "done" 's/AND c.done IS NULL//'
    broken take 's/OR c.lease < pg_catalog.now()//'
    broken take 's/AND c.first <= r.stop//'
    broken claim 's/AND (NOT f.shrunk OR [^)]*)//'
    broken forget 's|AND [^ ]* IN (0, f.times)||'
    broken claim 's/WHERE (f.lease IS NULL OR .*)$/WHERE true/'
    broken take 's/FOR UPDATE OF c SKIP LOCKED//' several '--sessions 2'
    left_nothing
    finish
fi
make one "$sql" one
make several "$sql" several
examples=${1:+400}
runs 0 run one/store.yaml --seed 1 --examples "${examples:-12}" --crash --no-save
runs 0 run several/store.yaml --seed 1 --examples "${examples:-6}" --crash --sessions 2 --no-save
[ "${1:-}" != all ] ||
    runs 0 run several/store.yaml --seed 2 --examples "$examples" --crash --sessions 3 --strict --no-save
left_nothing
finish
