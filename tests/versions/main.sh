#!/bin/sh
# on.sh MAJOR main.sh
#
# The tests that most likely show differences between versions of PostgreSQL: the embedded server has that version;
# machines with deferred constraints, policies, triggers, roles and claims pass; a bug of each is found, and its script
# shows it. By day, fewer examples, and a bug of three.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/cli/common.sh"
. "$top/tests/support/bugs.sh"
common_begin
trap common_end EXIT
all=${PGFSM_TEST_ALL:-} # which the next line unsets
no_database
bugs='membership-editor-shadow ledger-reversed-twice job_queue-claimed-twice audit-restore roles-last-owner'
examples=50
found=$bugs
[ -n "$all" ] || {
    examples=15
    found='membership-editor-shadow ledger-reversed-twice audit-restore'
}

# The number that on.sh was told, in the folder's name.
major=$("$PGFSM_PG_BINDIR/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
cat >version.yaml <<END
machine: version
rules:
  number: {sql: SELECT current_setting('server_version_num')::int / 10000, expect: $major}
END
set --
for bug in $bugs; do
    set -- "$@" "$top/machines/$(bug_machine "$bug").yaml"
done
runs 0 run version.yaml "$@" --seed 1 --examples $examples --no-save --strict
left_nothing

for bug in $found; do
    rm -rf counterexamples
    runs 1 run "$top/machines/$(bug_machine "$bug").yaml" --apply "$top/sql/bugs/$bug.sql" --seed 1
    runs 1 replay counterexamples/*.sql
done
left_nothing
finish
