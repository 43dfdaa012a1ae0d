#!/bin/sh
# Compares whole reports of planted bugs at a fixed seed with tests/golden/<machine>/<bug>.txt.
# Times and the number of the example that found a bug are omitted, because they change with
# generation. So are bugs whose report depends on random uuids of the schema. PROGRAM is the path of
# pgfsm; with PGFSM_GOLDEN=write the files are written instead.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/cli/common.sh"
golden_mode=${PGFSM_GOLDEN:-}
common_begin
trap common_end EXIT
no_database
PATH=$(dirname "$PROGRAM"):$PATH
# Does not run in the top folder, because the failures that an earlier run kept in its .pgfsm would
# run first.
ln -s "$top/machines" "$top/sql" .

report() { # MACHINE BUG
    pgfsm run "machines/$1.yaml" --apply "sql/bugs/$2.sql" --seed 1 2>&1 |
        sed -E 's/^  found in example .*/  found …/; s/^([0-9]+ failures? in ).*/\1…/; s/ --pg-bindir [^ ]+//'
}

golden() { # MACHINE BUG
    file=$top/tests/golden/$1/$2.txt
    if [ "$golden_mode" = write ]; then
        mkdir -p "$top/tests/golden/$1"
        report "$1" "$2" >"$file"
    else
        report "$1" "$2" >"$DIR/report"
        diff "$file" "$DIR/report" >"$DIR/diff" || complain "$file: $(cat "$DIR/diff")"
    fi
}

golden membership membership-editor-shadow
golden membership membership-count-cache
golden membership_two_users membership-stale-user
golden items items-soft-delete
finish
