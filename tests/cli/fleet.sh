#!/bin/sh
# The files for clusters, run as an engine runs them: their commands as processes, with the variables that it sets.
#
#   PROGRAM=… sh tests/cli/fleet.sh [pods]
#
# pods: the manifest for Kubernetes, too, which takes a module to read YAML.
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

[ "${1:-}" = pods ] || {
    left_nothing
    finish
}

# The pods of a Kubernetes Job: the commands of the manifest, with fewer examples.
/usr/bin/python3 - "$top/ci/kubernetes/fleet.yaml" <<'PY'
import sys, yaml
jobs = [d for d in yaml.safe_load_all(open(sys.argv[1])) if d["kind"] == "Job"]
shard, merge = ([job["spec"]["template"]["spec"]["containers"][0] for job in jobs])
total = str(jobs[0]["spec"]["completions"])
assert {e["name"]: e.get("value") for e in shard["env"]}["PGFSM_SHARDS"] == total, "PGFSM_SHARDS is not completions"
assert jobs[0]["spec"]["maxFailedIndexes"] >= int(total), "a failure stops the other shards"
open("total", "w").write(total)
for name, container in ("shard", shard), ("merge", merge):
    assert container["command"] == ["sh", "-c"]
    open(name + ".sh", "w").write(container["args"][0].replace("--examples 10000", "--examples 9"))
PY
mkdir shards
for index in $(seq 0 $(($(cat total) - 1))); do
    JOB_COMPLETION_INDEX=$index PGFSM_SHARDS=$(cat total) PGFSM_RUN_ID=some-uid sh shard.sh >said 2>&1 ||
        complain "kubernetes: pod $index: $(cat said)"
done
sh merge.sh >out 2>&1 || complain "kubernetes: merge: $(cat out)"
same_totals out
left_nothing
finish
