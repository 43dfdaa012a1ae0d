#!/bin/sh
# `pgfsm diff` where a server goes away: on which side is said, and nothing is left behind.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

schema() { # BODY
    echo 'CREATE TABLE t (id int);'
    echo "CREATE FUNCTION add(n int) RETURNS int LANGUAGE plpgsql AS \$\$ BEGIN $1 RETURN n; END \$\$;"
}
schema '' >stays.sql
schema 'IF n > 5 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;' >goes.sql
cat >m.yaml <<'END_YAML'
machine: m
rules:
  note: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t VALUES (:n)"}
  add: {args: {n: "integers(1, 9)"}, sql: "SELECT add(:n)"}
END_YAML

# Also while the state is compared.
schema '' >state_stays.sql
echo 'CREATE VIEW v AS SELECT id FROM t;' >>state_stays.sql
schema 'IF (SELECT count(*) > 1 FROM t) THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;' >state_goes.sql
echo 'CREATE VIEW v AS SELECT id FROM t WHERE add(id) = id;' >>state_goes.sql
cat >state.yaml <<'END_YAML'
machine: state
rules:
  note: {args: {n: "integers(1, 9)"}, sql: "INSERT INTO t VALUES (:n)"}
END_YAML

loses() { # SIDE BEFORE AFTER [MACHINE [RULE]]
    runs 3 diff "${4-m}.yaml" --schema "$2.sql" --new-schema "$3.sql" --seed 1 --examples 20 --steps 5
    out "rule ${5-add} (step "
    out "): the $1 server closed the connection"
    err "the $1 database: the connection to the database was lost"
    until_true nothing_left
}
loses new stays goes
loses old goes stays
loses new state_stays state_goes state note
loses old state_goes state_stays state note
finish
