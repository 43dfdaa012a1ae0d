#!/bin/sh
# Each machine of tests/crash/ finds its wrong schema from 20 seeds, and only where clients die; with the right schema it
# holds.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
machines=$(cd "$(dirname "$0")/../crash" && pwd)
common_begin
trap 'common_end; server_stop' EXIT
cp "$machines"/* .
for file in "$machines"/*.yaml; do
    name=$(basename "$file" .yaml)
    runs 0 run "$name.yaml" --seed 1 --examples 1000 --no-save
    sed "s/$name.sql/$name-wrong.sql/" "$name.yaml" >wrong.yaml
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        runs 1 run wrong.yaml --seed $seed --no-save
        grep -qE '# (dies after its COMMIT|its session ends in the middle)' out || {
            complain "$said: nobody dies"
            show
        }
    done
    sed -i '/crash:/,/sql:/{/sql:/!d}' wrong.yaml
    runs 0 run wrong.yaml --seed 1 --examples 200 --no-save
done
finish
