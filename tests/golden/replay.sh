#!/bin/sh
# Compares the replay scripts of four machines at a fixed seed with the golden files. With PGFSM_GOLDEN=write the golden
# files are written instead: read what changed before you commit it.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
mode=${PGFSM_GOLDEN:-}
. "$here/../pg/server.sh"
failed=0

server_start socket
cd "$SERVER_DIR" || exit 1
mkdir machines sql
cp "$top"/machines/*.yaml machines
cp -R "$top"/sql/* sql
cp "$top"/tests/bench/machines/bank.* machines

# golden MACHINE SCRIPT OPTION...: compares the files that a run writes with the golden files: the script, and for
# sessions its .spec file.
golden() {
    machine=$1
    name=${2%.sql}
    shift 2
    rm -rf counterexamples
    "$PROGRAM" run "machines/$machine.yaml" --seed 1 "$@" >report 2>&1
    if [ "$mode" = write ]; then
        cp counterexamples/"$name".* "$here/$machine"
    fi
    for file in "$here/$machine/$name".*; do
        if ! diff -u "$file" "counterexamples/${file##*/}"; then
            echo "FAILED: $machine"
            cat report
            failed=1
        fi
    done
}

golden membership membership-editors.sql --apply sql/bugs/membership-editor-shadow.sql
golden items items-read_deleted-no_data_found-did-not-come.sql --apply sql/bugs/items-soft-delete.sql
golden bank bank-balances.sql
golden withdrawals withdrawals-sessions-no-serial-order.sql --apply sql/races/withdrawals-lost-update.sql --sessions 2

exit "$failed"
