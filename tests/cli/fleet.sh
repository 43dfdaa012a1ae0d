#!/bin/sh
# The scripts for Slurm, with the variables that it sets. engines.sh runs them, and more, with the engines themselves.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
mkdir bin machines
ln -s "$PROGRAM" bin/pgfsm
PATH=$DIR/bin:$PATH
cp "$top/machines/membership.yaml" machines/
ln -s "$top/sql" sql

# The same totals as those of a run without shards.
same_totals() { # FILE
    totals() { sed -n 's/^ok  membership  \(.*\), [0-9.]* s, .*/\1/p' "$1"; }
    [ "$(totals "$1")" = "$(totals whole)" ] || complain "$1: $(cat "$1"), not: $(cat whole)"
}
pgfsm run machines/ --examples 9 --seed 1 --no-save >whole

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
