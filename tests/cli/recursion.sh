#!/bin/sh
# recursion.sh
#
# Recursive policies and views are faults of the schema: the rules that reach them fail, with a replay script, and the
# others run. The report says once that the policies are to blame.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

psql -qX --command 'CREATE ROLE recursion_app'

cat >schema.sql <<'SQL'
CREATE TABLE user_tenants (user_id int, tenant_id int, PRIMARY KEY (user_id, tenant_id));
ALTER TABLE user_tenants ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON user_tenants USING (tenant_id IN (SELECT tenant_id FROM user_tenants));
CREATE FUNCTION is_there() RETURNS boolean LANGUAGE sql AS 'SELECT true';
CREATE FUNCTION visible() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN is_there(); END $$;
CREATE TABLE notes (id int PRIMARY KEY);
CREATE TABLE secrets (id int);
ALTER TABLE secrets ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON secrets USING (visible());
INSERT INTO secrets VALUES (1);
DROP FUNCTION is_there();
GRANT ALL ON user_tenants, notes, secrets TO recursion_app;
CREATE VIEW a AS SELECT 1 AS x;
CREATE VIEW b AS SELECT * FROM a;
CREATE OR REPLACE VIEW a AS SELECT * FROM b;
GRANT SELECT ON a TO recursion_app;
SQL
cat >recursion.yaml <<'END'
machine: recursion
schema: schema.sql
as: {role: recursion_app}
model: n = 0
rules:
  add: {sql: INSERT INTO notes SELECT count(*) FROM notes, model: n += 1}
  read: {sql: SELECT count(*) FROM user_tenants, expect: 0}
  join: {sql: "INSERT INTO user_tenants VALUES (1, 1)", raises: "[None, unique_violation]"}
  look: {sql: SELECT x FROM a, expect: 1}
  peep: {sql: SELECT count(*) FROM secrets, expect: 1}
invariants:
  notes: {sql: SELECT count(*) FROM notes, expect: n}
END
runs 1 run recursion.yaml --seed 1 --stats
for rule in read join look peep; do
    out "FAIL  recursion  rule $rule (step 1)"
done
out 'infinite recursion detected in policy for relation "user_tenants"'
out 'infinite recursion detected in rules for relation "a"'
out 'the policies of public.user_tenants lead back to it, so that every use of it fails where they apply: members'
[ "$(grep -c 'lead back' out)" = 1 ] || complain "it is said several times: $(cat out)"
out_lacks 'FAIL  recursion  rule add'
out_lacks 'never ran'
for name in read-42P17 join-42P17 look-42P17 peep-42883; do
    [ -f "counterexamples/recursion-$name.sql" ] || complain "no script $name: $(ls counterexamples)"
done
runs 1 replay counterexamples/recursion-read-42P17.sql
runs 1 replay counterexamples/recursion-look-42P17.sql

# In initialize, it is a failure of that step. An invariant fails, too. A predicted error is not a failure.
cat >beginning.yaml <<'END'
machine: beginning
schema: schema.sql
as: {role: recursion_app}
initialize:
  - {sql: "INSERT INTO user_tenants VALUES (1, 1)"}
rules:
  add: {sql: INSERT INTO notes SELECT count(*) FROM notes, affects: 1}
END
runs 1 run beginning.yaml --seed 1
out 'infinite recursion detected in policy'
cat >invariant.yaml <<'END'
machine: invariant
schema: schema.sql
as: {role: recursion_app}
rules:
  add: {sql: INSERT INTO notes SELECT count(*) FROM notes, affects: 1}
invariants:
  empty: SELECT * FROM user_tenants
END
runs 1 run invariant.yaml --seed 1
out 'FAIL  invariant  invariant empty'
cat >predicted.yaml <<'END'
machine: predicted
schema: schema.sql
as: {role: recursion_app}
rules:
  read: {sql: SELECT count(*) FROM user_tenants, raises: invalid_object_definition}
END
runs 0 run predicted.yaml --seed 1
finish
