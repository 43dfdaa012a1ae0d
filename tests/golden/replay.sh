#!/bin/sh
# The replay scripts of three machines at a fixed seed, to the letter. With PGFSM_GOLDEN=write the golden
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

# golden MACHINE SCRIPT OPTION...: what a run writes is the golden file.
golden() {
    machine=$1
    file=$here/$1/$2
    script=counterexamples/$2
    shift 2
    "$PROGRAM" run "machines/$machine.yaml" --seed 1 "$@" >report 2>&1
    if [ "$mode" = write ]; then
        cp "$script" "$file"
    elif ! diff -u "$file" "$script"; then
        echo "FAILED: $machine"
        cat report
        failed=1
    fi
}

golden membership membership-editors.sql --apply sql/bugs/membership-editor-shadow.sql
golden items items-read_deleted-no_data_found-did-not-come.sql --apply sql/bugs/items-soft-delete.sql
golden bank bank-balances.sql

exit "$failed"
