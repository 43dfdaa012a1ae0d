#!/bin/sh
# SQL under test may deallocate the statements that pgfsm has prepared: the run continues, finds the same failures as
# without, and prints the same report whether it runs ahead or step by step, and by night ($PGFSM_TEST_ALL) on two
# connections.
set -u
two=${PGFSM_TEST_ALL:+--jobs 2} # before the variable is unset
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >some.sql <<'SQL'
CREATE TABLE t (id serial PRIMARY KEY, k int, UNIQUE (k) DEFERRABLE INITIALLY DEFERRED);
CREATE FUNCTION forget_those(pattern text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n text;
BEGIN
    FOR n IN SELECT name FROM pg_prepared_statements WHERE name ~ pattern AND NOT from_sql LOOP
        EXECUTE format('DEALLO' || 'CATE %I', n);
    END LOOP;
END $$;
SQL
{ cat some.sql; cat <<'SQL'; } >spelled.sql
CREATE FUNCTION forget() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; END $$;
CREATE PROCEDURE forget_by_call() LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE PREPARE ALL; END $$;
SQL
{ cat some.sql; cat <<'SQL'; } >always.sql
CREATE FUNCTION forget_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN NEW; END $$;
CREATE TRIGGER forget_row AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION forget_row();
SQL

machine() { # NAME SCHEMA SQL CHANGE: SQL forgets; CHANGE is what the rule change sets
    cat <<END
machine: $1
schema: $2.sql
dataset:
  t: [{id: 1000, k: 1000}, {id: 1001, k: 1001}]
initialize:
  - sql: INSERT INTO t VALUES (1002, 1002)
  - args: {start: "sampled_from([2000, 3000])"}
    sql: INSERT INTO t VALUES (:start, :start)
    model: rows[start] = start
model: |
  rows = {1000: 1000, 1001: 1001, 1002: 1002}
contexts:
  tenant: {settings: {app.tenant: "'a'"}}
rules:
  add:
    as: tenant
    args: {k: "integers(1, 50)"}
    where: k not in rows.values()
    sql: INSERT INTO t (k) VALUES (:k) RETURNING id
    target: ids
    model: rows[result.value] = k
  forget:
    args: {n: "integers(1, 2)"}
    sql: "$3"
  refuse:
    args: {id: ids}
    sql: INSERT INTO t (id, k) VALUES (:id, 0)
    raises: unique_violation
  repeat:
    args: {k: "integers(1, 50)"}
    sql: INSERT INTO t (k) VALUES (:k)
    raises: unique_violation
    where: k in rows.values()
  change:
    args: {id: ids, k: "integers(60, 99)"}
    where: k not in rows.values()
    sql: UPDATE t SET k = $4 WHERE id = :id
    model: rows[id] = k
invariants:
  same: {sql: "SELECT id, k FROM t", expect: "bag(rows.items())"}
  by_id:
    for: {id: ids}
    sql: SELECT k FROM t WHERE id = :id
    expect: rows[id]
END
}

# Reports differ only in measured values.
report() { sed 's/[0-9.]* s\>//; s/ --no-pipeline//; s/ --jobs 2//' out; }

goes_on() { # STATUS NAME SCHEMA SQL CHANGE [WAY...]: the same report each way
    status_wanted=$1
    name=$2
    machine "$2" "$3" "$4" "$5" >"$2.yaml"
    shift 5
    for way in "" "$@"; do
        # shellcheck disable=SC2086 # words
        runs "$status_wanted" run --embedded --no-save --seed 1 --examples 20 --steps 12 "$name.yaml" $way
        out_lacks "does not exist"
        out_lacks FLAKY
        report >this
        [ -n "$way" ] || cp this first
        cmp -s first this || {
            complain "$said: another report"
            diff first this
        }
    done
}
each_way() { # NAME SCHEMA SQL
    goes_on 0 "$@" :k --no-pipeline ${two:+"$two"}
    goes_on 1 "$@" ":k + 100" --no-pipeline ${two:+"$two"}
    out "invariant same"
}

# A DEALLOCATE in the text of the schema or the machine is known and reported before the run.
warning="prepared statements are deallocated"
each_way block some "DO 'BEGIN DEALLOCATE ALL; END'"
out "$warning"
goes_on 0 function spelled "SELECT forget()" :k --in-place
out "$warning"
goes_on 0 procedure spelled "CALL forget_by_call()" :k
goes_on 0 everywhere always "SELECT 1" :k --no-pipeline

# A DEALLOCATE that is built at run time is detected when a statement is missing.
each_way all_of_them some "SELECT forget_those('pgfsm')"
for which in 'pgfsm_[0-9]' guard reset context check sequences; do
    goes_on 0 one some "SELECT forget_those('$which')" :k
    out_lacks "$warning"
done

# Before the first step, no step can be run again.
machine early some "SELECT 1" :k >early.yaml
sed -i "s/sql: INSERT INTO t VALUES (1002, 1002)/sql: SELECT forget_those('pgfsm')/" early.yaml
runs 2 run --embedded --no-save --seed 1 early.yaml
err "SQL that runs before the first step deallocates prepared statements"
left_nothing
finish
