#!/bin/sh
# The output of a run and its exit status.
set -u
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
common_begin
trap common_end EXIT
no_database

runs 0 run "$top/machines/membership.yaml" --seed 3 --examples 5
grep -qE '^ok  membership  5 examples, [0-9,]+ steps, [0-9.]+ s, seed 3$' out || complain "$said: $(cat out)"
[ "$(wc -l <out)" = 1 ] || complain "$said: more than a line: $(cat out)"
[ ! -s err ] || complain "$said: $(cat err)"

runs 1 run "$top/machines/membership.yaml" --apply "$top/sql/bugs/membership-editor-shadow.sql" --seed 3
out "FAIL  membership  invariant editors after upsert_member (step "
out "SELECT pid FROM get_editor_project_ids() AS pid        as ann"
out "unexpected   projects_"
out "run $top/machines/membership.yaml --apply $top/sql/bugs/membership-editor-shadow.sql --seed 3"

# Failures are kept in .pgfsm/, run first by the next run, and removed when they pass.
bug=$top/sql/bugs/membership-editor-shadow.sql
[ -n "$(ls .pgfsm/membership/*.trace)" ] || complain "$said: no trace is kept"
runs 1 run "$top/machines/membership.yaml" --apply "$bug" --seed 4
out "found in example "
out " of an earlier run, seed 3"
runs 1 run "$top/machines/membership.yaml" --apply "$bug" --last-failed
out "(step 2)"
echo nonsense >.pgfsm/membership/damaged.trace
runs 0 run "$top/machines/membership.yaml" --seed 4 --last-failed
out "ok  membership  1 example"
out "damaged.trace is not a trace of pgfsm; it is ignored, and you can delete it"
rm .pgfsm/membership/damaged.trace
[ -z "$(ls .pgfsm/membership)" ] || complain "$said: what holds is still kept"
runs 5 run "$top/machines/membership.yaml" --last-failed
runs 2 run "$top/machines/membership.yaml" --last-failed --ways all
grep -q "^pgfsm: run: --ways makes examples" err || complain "--ways with --last-failed: $(cat err)"
runs 1 run "$top/machines/membership.yaml" --apply "$bug" --no-save
[ -z "$(ls .pgfsm/membership)" ] || complain "$said: kept in spite of --no-save"
runs 2 run "$top/machines/membership.yaml" --last-failed --no-save
rm -rf .pgfsm && echo "no directory" >.pgfsm
runs 1 run "$top/machines/membership.yaml" --apply "$bug" --seed 3
out "the failing trace is not stored"
rm .pgfsm

# Untested parts are named, and --strict makes them failures.
cat >never.yaml <<END
machine: never
model: n = 0
rules:
  count: {sql: SELECT 1, model: n += 1}
  impossible: {precondition: n < 0, sql: SELECT 1}
invariants:
  unreached: {precondition: n < 0, sql: SELECT 1, expect: 1}
END
runs 0 run never.yaml --examples 2
out "never ran      impossible: precondition false"
out "never checked  unreached: its precondition was never true"
sed 's/^model:/untested: [the trigger audit, "NOT NULL of n"]\n&/' never.yaml >named.yaml
runs 0 run named.yaml --examples 2
out "not tested     the trigger audit"
out "not tested     NOT NULL of n"
runs 4 run never.yaml --examples 2 --strict
out "unmet  never"
runs 5 run never.yaml --examples 0
out "nothing was run: no failure is stored, and no example is pinned"
runs 5 run never.yaml --last-failed
out "nothing was run: no failure is stored that --last-failed could repeat"
runs 5 run never.yaml --last-failed --report junit
out "nothing was run: no failure is stored that --last-failed could repeat"
runs 0 run never.yaml --examples 1 --seed 1 --shard 2/2
out "there are fewer examples than shards"
sed 's/machine: never/machine: wrong/; s/n < 0, sql: SELECT 1, expect/n > 2, sql: SELECT 2, expect/' never.yaml >wrong.yaml
runs 1 run never.yaml wrong.yaml --examples 2
out "FAIL  wrong  invariant unreached after count (step 3) gave 2, expected 1"
out "2 machines: 1 ok, 1 failed"
runs 2 run never.yaml missing.yaml --examples 1
out "2 machines: 1 ok, 1 stopped"

with=PGPORT=54321
runs 0 run never.yaml --embedded --examples 1
with=PGFSM_EXAMPLES=3
runs 0 run never.yaml
out "3 examples"
runs 0 run never.yaml --examples 2 --color always
grep -q "$(printf '\033')\[32mok" out || complain "$said: no colour"
runs 0 run never.yaml --examples 1000000 --max-time 200ms
out "the time was up"
# The progress line shows that a failure is being shrunk, on any connection.
cat >slow.yaml <<END
machine: slow
model: n = 0
rules:
  add: {sql: SELECT pg_sleep(0.02), model: n += 1}
invariants:
  few: {sql: SELECT 1, expect: 1 if n < 12 else 2}
END
runs 1 run slow.yaml --examples 1 --no-save --progress always
err "  1/1   1 failure   shrinking a failure: "
err " steps so far"
left_nothing
finish
