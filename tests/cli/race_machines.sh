#!/bin/sh
# race_machines.sh SEEDS EXAMPLES BAR [NAME...]: default runs of each machine of tests/races/, or of those named, with
# two sessions, find what is wrong from at least BAR of SEEDS seeds; what is right holds over EXAMPLES examples. Wrong
# is NAME-wrong.sql, or else the next lower isolation level.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
machines=$(cd "$(dirname "$0")/../races" && pwd)
seeds=$1 examples=$2 bar=$3
shift 3
common_begin
trap 'common_end; server_stop' EXIT
cp "$machines"/* .
[ $# -gt 0 ] || set -- *.yaml
for file; do
    name=${file%.yaml}
    runs 0 run "$name.yaml" --sessions 2 --seed 1 --examples "$examples" --no-save
    sed 's/isolation: repeatable read/isolation: read committed/
        s/isolation: serializable/isolation: repeatable read/' "$name.yaml" >"$name-lower.yaml"
    set -- "$name-lower.yaml"
    [ ! -e "$name-wrong.sql" ] || set -- "$name.yaml" --apply "$name-wrong.sql"
    found=0
    for seed in $(seq "$seeds"); do
        "$PROGRAM" run "$@" --sessions 2 --seed "$seed" --no-save >out 2>err
        case $? in
        0) ;;
        1) found=$((found + 1)) ;;
        *) complain "$name, seed $seed: $(cat err)" ;;
        esac
    done
    echo "$name: found from $found of $seeds seeds"
    [ "$found" -ge "$bar" ] || complain "$name: not from $bar seeds"
done
finish
