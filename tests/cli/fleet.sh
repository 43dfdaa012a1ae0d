#!/bin/sh
# The scripts for Slurm, with the variables that it sets. engines.sh runs them, and more, with the engines themselves.
#
#   PROGRAM=… sh tests/cli/fleet.sh [night]
#
# night: a night of eight shards over four machines, three of which have a bug: what docs/FLEET.md shows of it.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/timeless.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
mkdir bin machines
ln -s "$PROGRAM" bin/pgfsm
PATH=$DIR/bin:$PATH
cp "$top/machines/membership.yaml" machines/
ln -s "$top/sql" sql

if [ "${1:-}" = night ]; then
    for planted in key_value-resurrected ledger-to-oneself lru_cache-unused-read; do
        name=${planted%%-*}
        cp "$top/sql/bugs/$planted.sql" machines/
        sed "s|^schema:.*|schema: [../sql/$name.sql, $planted.sql]|" "$top/machines/$name.yaml" >machines/"$name".yaml
    done
    for i in 1 2 3 4 5 6 7 8; do
        pgfsm run machines/ --examples 400 --shard $i/8 --seed 7 --no-save --report json=shard-$i.json >shard-$i 2>&1
    done
    [ "$(cat shard-? | grep -c '^FAIL')" -ge 24 ] || complain "some shards miss a bug: $(cat shard-?)"
    mkdir alone merged
    for folder in alone merged; do ln -s ../machines ../sql $folder; done
    (cd merged && pgfsm merge ../shard-*.json --examples 400) >merged.txt
    (cd alone && pgfsm run machines/ --examples 400 --seed 7) >alone.txt
    [ "$(grep -c '^FAIL' merged.txt)" = 3 ] || complain "a bug is not one failure: $(cat merged.txt)"
    timeless alone.txt >one
    timeless merged.txt >other
    cmp -s one other || complain "another report: $(diff one other)"
    awk '/^\$ pgfsm merge/ { on = 1; next } on && /^```/ { exit } on && !/…/ && NF' "$top/docs/FLEET.md" >shown
    timeless shown >lines
    [ -s lines ] || complain "docs/FLEET.md shows no report"
    while IFS= read -r line; do
        grep -qxF -e "$line" other || complain "docs/FLEET.md: the report has no line '$line': $(cat merged.txt)"
    done <lines
    left_nothing
    finish
fi

# The same totals as those of a run without shards.
same_totals() { # FILE
    totals() { sed -n 's/^ok  membership  \(.*\), [0-9.]* s, .*/\1/p' "$1"; }
    [ "$(totals "$1")" = "$(totals whole)" ] || complain "$1: $(cat "$1"), not: $(cat whole)"
}
pgfsm run machines/ --examples 9 --seed 1 --no-save >whole

# Kubernetes knows no total.
with="JOB_COMPLETION_INDEX=2 PGFSM_SHARDS=4"
runs 0 run machines/ --shard auto --seed 3 --examples 4 --no-save
err "shard 3 of 4, as Kubernetes says"
err_lacks warning
with=

# An array of Slurm, whose numbers may begin anywhere.
for task in 4 6 8; do
    SLURM_ARRAY_JOB_ID=17 SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=4 \
        SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=2 sh "$top/ci/slurm/shard.sh" machines/ --examples 9 >said 2>&1 ||
        complain "slurm: task $task: $(cat said)"
done
sh "$top/ci/slurm/merge.sh" 17 --examples 9 >out 2>&1 || complain "slurm: merge: $(cat out)"
same_totals out
for report in xml html; do
    [ -s shards/17/pgfsm.$report ] || complain "slurm: no report pgfsm.$report"
done
rm shards/17/6.json
! sh "$top/ci/slurm/merge.sh" 17 --examples 9 >out 2>&1 || complain "slurm: merge without a shard"
grep -q "shard 2 of 3 is missing" out || complain "slurm: $(cat out)"
rm -r shards

left_nothing
finish
