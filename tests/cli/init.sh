#!/bin/sh
# init.sh SCHEMA few|all
#
# The machine that `pgfsm init` makes of init/SCHEMA.sql is one that check takes, holds as it is, and finds every change of
# init/SCHEMA.bugs, a line each. `few`: one seed, few examples, and every sixth change.
set -u
data=$(cd "$(dirname "$0")/init" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
schema=$1
case $2 in
few) seeds=1 examples=30 step=6 ;;
all) seeds='1 2 3 4 5' examples=200 step=1 ;;
esac
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cp "$data/$schema.sql" .
runs 0 init --schema "$schema.sql" -o made.yaml
runs 0 check made.yaml
for seed in $seeds; do
    runs 0 run made.yaml --no-save --examples "$examples" --seed "$seed"
done

# What is found is shrunk elsewhere.
sed 's/^machine: .*/&\nsettings: {shrink: {executions: 0}}/' made.yaml >quick.yaml
line=0
while read -r bug; do
    line=$((line + 1))
    [ $((line % step)) -eq 0 ] || continue
    echo "$bug;" >bug.sql
    # Most are found at once.
    "$PROGRAM" run quick.yaml --no-save --examples 20 --seed 1 --apply bug.sql >out 2>&1 </dev/null
    [ $? -eq 1 ] || runs 1 run quick.yaml --no-save --examples 300 --seed 1 --apply bug.sql
    holds out 'FAIL  '
    [ "$checks_failed" -eq 0 ] || echo "planted: $bug"
done <"$data/$schema.bugs"
finish
