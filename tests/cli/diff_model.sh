#!/bin/sh
# `pgfsm diff` with a machine: the model only leads. What it expects is no mistake of the machine where a shorter sequence
# led to another state.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

runs 1 diff "$top/machines/bounded_queue.yaml" --apply "$top/sql/bugs/bounded_queue-lowest-slot.sql" --seed 1 --examples 20 \
    --no-save
out "DIFFERS  bounded_queue"
left_nothing

# Of several statements, the answers shown are those of the one that differs, and its number is told. Both sides have
# answered the last one, or the second side has not come to it.
echo "CREATE FUNCTION lend(OUT ok text) LANGUAGE plpgsql AS \$\$ BEGIN ok := 'old'; END \$\$;" >old.sql
cat >several.yaml <<'END_YAML'
machine: several
schema: old.sql
settings: {errors: any, examples: 2, steps: 2, seed: 1}
rules:
  call_lend:
    sql:
      - SELECT 1
      - SELECT * FROM lend()
      - SELECT n, n FROM generate_series(1, 2) AS n
END_YAML
sed "s/'old'/'new'/" old.sql >answers.sql
runs 1 diff several.yaml --new-schema answers.sql --no-save --report json=report.json
out '1> call_lend()   before "old"   after "new"'
out 'SELECT * FROM lend()        statement 2 of 3'
out 'stated   several.yaml:8'
[ "$(jq -r 'select(.type == "failure") | .statement' report.json)" = 2 ] ||
    complain "$said: the report does not say which statement"
sed "s/ok := 'old'/RAISE check_violation/" old.sql >raises.sql
runs 1 diff several.yaml --new-schema raises.sql --no-save
out '1> call_lend()   before "old"   after raises check_violation'
runs 1 diff several.yaml --schema raises.sql --new-schema old.sql --no-save
out '1> call_lend()   before raises check_violation   after "old"'
left_nothing
finish
