#!/bin/sh
# ci/run-machines, the script that CI calls, in somebody's repository, against a server set up as CI's container is: TCP
# with passwords, and the user of ci/role.sql.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"

failed=0
complain() {
    echo "$*"
    failed=1
}

server_start tcp
psql -qX --set ON_ERROR_STOP=1 --file "$top/ci/role.sql"

repository=$SERVER_DIR/repository
mkdir "$repository"
cp -R "$top/machines" "$top/sql" "$repository"
cd "$repository"
PATH=$(dirname "$PROGRAM"):$PATH
export PGHOST=127.0.0.1 PGUSER=pgfsm_ci PGPASSWORD=pgfsm_ci PATH
unset GITHUB_ACTIONS GITHUB_EVENT_NAME CI_PIPELINE_SOURCE GITHUB_STEP_SUMMARY

runs() { # STATUS WORD...
    wanted=$1
    shift
    status=0
    "$top/ci/run-machines" "$@" >"$SERVER_DIR/report" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || {
        cat "$SERVER_DIR/report"
        complain "ci/run-machines $*: exit status $status"
    }
}

# A change: every machine, with a fixed seed. Other tests run them for longer.
runs 0 --examples="$(by_day 3 20)"
for machine in machines/*.yaml; do
    grep -q "^ok *$(basename "$machine" .yaml) .* seed 1$" "$SERVER_DIR/report" ||
        complain "the report does not say that $machine held with seed 1"
done
! grep 'warning: PGFSM' "$SERVER_DIR/report" || complain "a variable is not pgfsm's"
for report in txt xml html; do
    [ -s "pgfsm-report/pgfsm.$report" ] || complain "no report pgfsm-report/pgfsm.$report"
done

# A nightly job uses a random seed. A failure is on the job's page, and the next run repeats it.
export GITHUB_STEP_SUMMARY="$SERVER_DIR/summary"
GITHUB_ACTIONS=true GITHUB_EVENT_NAME=schedule runs 1 machines/membership.yaml --apply sql/bugs/membership-editor-shadow.sql
! grep -q 'seed 1$' "$SERVER_DIR/report" || complain "the seed of a nightly run is fixed"
grep -q 'invariant editors' "$GITHUB_STEP_SUMMARY" || complain "the summary does not show the failure"
CI_PIPELINE_SOURCE=merge_request_event PGFSM_SEED=7 runs 0 machines/membership.yaml --last-failed
grep -q 'seed 7$' "$SERVER_DIR/report" || complain "the seed is not the one that is set"

# Jobs that run side by side share the examples, and another one merges their reports.
for shard in 1 2; do
    GITLAB_CI=true CI_NODE_INDEX=$shard CI_NODE_TOTAL=2 CI_PIPELINE_ID=5 \
        runs 0 machines/membership.yaml --examples=10 --shard=auto --seed=auto
done
runs 0 merge pgfsm-report/pgfsm-*.json --examples=10
grep -q '^ok *membership  10 examples' pgfsm-report/pgfsm.txt || complain "the merged report: $(cat pgfsm-report/pgfsm.txt)"

# A change of the schema, against its base: a difference, in reports of its own.
git init -q -b main .
git add machines sql
git -c user.name=a -c user.email=a@example.com commit -q -m base
runs 0 diff main machines/membership.yaml --examples=10
cat sql/bugs/membership-editor-shadow.sql >>sql/membership.sql
rm "$GITHUB_STEP_SUMMARY"
GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request runs 1 diff main machines/membership.yaml
for report in pgfsm-report/pgfsm-diff.txt pgfsm-report/pgfsm-diff.md "$GITHUB_STEP_SUMMARY"; do
    grep -q before "$report" || complain "$report does not show the difference"
done
runs 2 diff
runs 2 diff nowhere
grep -q "has no revision 'nowhere'" "$SERVER_DIR/report" || complain "it does not name the revision"

# Only the role that the schema creates is left on the server.
left=$(PGUSER=postgres PGPASSWORD=$SERVER_PASSWORD psql -qXAt --command "
    SELECT datname FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1')")
[ -z "$left" ] || complain "databases left behind: $left"
exit "$failed"
