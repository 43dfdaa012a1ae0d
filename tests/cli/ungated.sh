#!/bin/sh
# If sessions can't be stopped inside statements, every report says so: because the user is not allowed to make gates,
# or because tables were created after them.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
psql -qX -d postgres --set ON_ERROR_STOP=1 --file "$top/ci/role.sql" || exit 1
echo 'CREATE TABLE t (n int); INSERT INTO t VALUES (1);' >schema.sql
cat >plain.yaml <<'END'
machine: plain
schema: schema.sql
settings: {seed: 1, examples: 2}
rules:
  write: {sql: UPDATE t SET n = n + 1}
END
sed 's/plain/made/; s/^rules:/initialize:\n  make: {sql: [CREATE TABLE late (n int), INSERT INTO late VALUES (1)]}\n&/' plain.yaml >made.yaml
echo '  late: {sql: UPDATE late SET n = n + 1}' >>made.yaml

reports='text junit html json tap markdown github sarif ctrf'

# run_as USER MACHINE SESSIONS
run_as() {
    rm -f out.*
    words=
    for report in $reports; do
        words="$words --report $report=out.$report"
    done
    # shellcheck disable=SC2086 # words
    runs 0 run "$2" --sessions "$3" -U "$1" -d postgres $words
}

# told TEXT
told() {
    for report in $reports; do
        [ "$(grep -c "$1" "out.$report")" -ge 1 ] || complain "$report: no '$1' in $(cat "out.$report")"
    done
}

run_as pgfsm_ci plain.yaml 2
told "can't make gates"
err_lacks "can't make gates"
run_as pgfsm_ci plain.yaml 1
! grep -q "can't make gates" out.* || complain "gates, where there is one session"
run_as pgfsm_sessions plain.yaml 2
! grep -q "can't make gates\|inside statements" out.* || complain "no gates, where there are some"

run_as pgfsm_sessions made.yaml 2
told 'inside statements that write to late'
run_as pgfsm_sessions made.yaml 1
! grep -q 'inside statements' out.* || complain "gates, where there is one session"

left_nothing
finish
