#!/bin/sh
# `pgfsm diff` where a function of one side deallocates what the state is read by: the example runs again, and nothing is
# taken for a difference, or for one by nature.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

schema() { # BODY
    echo 'CREATE TABLE t (id int);'
    echo "CREATE FUNCTION forget() RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN $1 RETURN 1; END \$\$;"
}
schema '' >plain.sql
schema "EXECUTE 'DEALL' || 'OCATE ALL';" >forgets.sql
cat >m.yaml <<'END_YAML'
machine: m
rules:
  add: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t VALUES (:n)"}
  forget: {sql: "SELECT forget()"}
END_YAML

agree() { # BEFORE AFTER [OPTION]
    # shellcheck disable=SC2086 # words
    runs 0 diff m.yaml --schema "$1.sql" --new-schema "$2.sql" --seed 1 --examples 20 --steps 4 ${3:-}
    out "2 rules with success, 1 table"
    out_lacks "not compared"
}
agree forgets plain
agree plain forgets
agree forgets plain --commit
left_nothing
finish
