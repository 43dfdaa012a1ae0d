#!/bin/sh
# SQL under test that itself changes values that contexts set: role, claims, settings. Every step and every check is a
# separate request. Its context is set whatever the previous request left. Within a request, a statement sees the
# changes of earlier ones, as in a transaction. Values that no context sets stay. Correct machines pass ahead, step by
# step and with several sessions. Bugs are found, and their scripts show them.
set -u

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/replay_kind.sh"

server_start tcp
cd "$SERVER_DIR" || exit 1
createdb empty

# holds NAME < MACHINE: the machine, whose schema is schema.sql, passes.
holds() {
    { printf 'machine: %s\nschema: schema.sql\n' "$1" && cat; } >"$1.yaml"
    for how in '' --no-pipeline '--jobs 2'; do
        status=0
        # shellcheck disable=SC2086 # words
        PGDATABASE=postgres "$PROGRAM" run "$1.yaml" --seed 1 --examples 20 --steps 20 --no-save $how \
            >"$1.report" 2>&1 || status=$?
        if [ "$status" != 0 ] || ! grep -q "^ok  $1  20 examples, 400 steps" "$1.report"; then
            complain "$1 $how: exit status $status"
            cat "$1.report"
        fi
    done
}

cat >schema.sql <<'SQL'
DO $$ BEGIN CREATE ROLE web NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
DO $$ BEGIN CREATE ROLE nobody NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
CREATE TABLE notes (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, author text NOT NULL);
GRANT ALL ON notes TO web;
CREATE TABLE ids (id int PRIMARY KEY);
CREATE FUNCTION me() RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub' $$;
ALTER TABLE notes ALTER author SET DEFAULT me();
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON notes TO web USING (author = me()) WITH CHECK (author = me());

-- leaves the claims of somebody else behind
CREATE FUNCTION count_of(someone text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('request.jwt.claims', jsonb_build_object('sub', someone)::text, true);
    RETURN (SELECT count(*) FROM notes);
END $$;
-- and a role
CREATE FUNCTION drop_rights() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL ROLE nobody;
    RETURN current_user;
END $$;
-- and what no context sets
CREATE FUNCTION sign_in(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('app.user', name, true);
END $$;
CREATE FUNCTION signed_in() RETURNS text LANGUAGE sql AS $$ SELECT current_setting('app.user', true) $$;
SQL

contexts='
contexts:
  ann: {role: web, claims: '"'"'{"sub": "ann"}'"'"'}
as: ann'
names='sampled_from(["ann", "bob", "zoe"])'

# The next request, a step or a check, does not see the context that a request leaves, even after a predicted or allowed
# error. It does see values that no context sets.
holds leaves <<END_OF_MACHINE
$contexts
model: |
  notes = 0
  user = ""
initialize:
  - {sql: SELECT sign_in('')}
rules:
  write:
    sql: INSERT INTO notes DEFAULT VALUES RETURNING author
    expect: '"ann"'
    model: notes += 1
  count_of:
    args: {someone: '$names'}
    sql: SELECT count_of(:someone)
    expect: notes if someone == "ann" else 0
  drop_rights: {sql: SELECT drop_rights(), expect: '"nobody"'}
  drop_and_fail: {sql: 'SELECT drop_rights(), 1 / 0', raises: division_by_zero}
  drop_and_perhaps_fail:
    args: {n: 'integers(0, 1)'}
    sql: SELECT drop_rights(), 1 / :n
    raises: '[division_by_zero, None]'
  as_itself: {sql: 'DO \$\$ BEGIN SET LOCAL ROLE nobody; SET LOCAL request.jwt.claims = ''{}''; END \$\$'}
  bare: {as: {}, sql: 'SELECT current_user, me()', check: 'result.row == ("postgres", None)'}
  bare_drop: {as: {}, sql: SELECT drop_rights()}
  sign_in:
    args: {name: '$names'}
    sql: SELECT sign_in(:name)
    model: user = name
  sign_in_and_fail: {sql: 'SELECT sign_in(''eve''), 1 / 0', raises: division_by_zero}
  signed_in: {sql: SELECT signed_in(), expect: user}
invariants:
  mine: {sql: SELECT count(*) FROM notes, expect: notes}
  nosy: {sql: SELECT count_of('bob'), expect: 0}
  mine_again: {sql: SELECT count(*) FROM notes, expect: notes}
  all: {sql: SELECT count(*) FROM notes, expect: notes, as: {}}
  signed_in: {sql: SELECT signed_in(), expect: user}
END_OF_MACHINE

# Within a request it is there.
holds within <<END_OF_MACHINE
$contexts
rules:
  two:
    args: {someone: '$names'}
    sql: ["SELECT count_of(:someone)", "SELECT current_user, me()"]
    check: result.row == ("web", someone)
  others:
    args: {someone: '$names'}
    sql: ["SELECT count_of(:someone)", {sql: "SELECT me()", as: {}}, "SELECT current_user, me()"]
    check: result.row == ("web", "ann")
invariants:
  one: {sql: "SELECT drop_rights(); SELECT current_user", expect: '"nobody"'}
  other: {sql: "SELECT current_user", expect: '"web"'}
END_OF_MACHINE

# Immediate triggers and those deferred to the end of the step, which see the state of the request; and rows of a
# dataset. The constraint's schema is one that \`nobody\` may not see. From PostgreSQL 18 on a deferred trigger runs as
# the role that queued it.
nobody=n
[ "$SERVER_MAJOR" -lt 18 ] || nobody=0
cp schema.sql plain.sql
cat >>schema.sql <<'SQL'
CREATE SCHEMA hidden;
CREATE TABLE hidden.owners (name text PRIMARY KEY);
CREATE TABLE hidden.pets (owner text REFERENCES hidden.owners DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE seen (who text NOT NULL);
GRANT ALL ON seen TO web, nobody;
CREATE FUNCTION drop_rights_behind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('role', 'nobody', true);
    RETURN NULL;
END $$;
CREATE TRIGGER behind AFTER INSERT ON notes FOR EACH ROW EXECUTE FUNCTION drop_rights_behind();
CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO seen VALUES (current_user);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER see AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION see();
SQL
holds triggers <<END_OF_MACHINE
$contexts
dataset:
  notes: [{id: 1001, author: eve}, {id: 1002, author: eve}]
model: n = 0
rules:
  write: {sql: INSERT INTO notes DEFAULT VALUES, model: n += 1}
  bare: {sql: "INSERT INTO notes (author) VALUES ('eve')", as: {}, model: n += 1}
  who: {sql: SELECT current_user, expect: '"web"'}
invariants:
  seen: {sql: 'SELECT count(*) FILTER (WHERE who = ''nobody''), count(*) FROM seen', expect: '($nobody, n + 2)', as: {}}
END_OF_MACHINE
cp plain.sql schema.sql

# The session user, in a machine whose contexts say nothing of it.
cat >>schema.sql <<'SQL'
CREATE FUNCTION become(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET SESSION AUTHORIZATION %I', name);
END $$;
SQL
holds session_user <<END_OF_MACHINE
rules:
  become: {sql: SELECT become('nobody')}
  who: {sql: 'SELECT session_user, current_user', check: 'result.row == ("postgres", "postgres")'}
END_OF_MACHINE
cp plain.sql schema.sql

# A bug within a request: who is counted for is who writes.
fix="CREATE OR REPLACE FUNCTION count_of(someone text) RETURNS bigint LANGUAGE sql
    AS 'SELECT count(*) FROM notes WHERE author = someone';"
kind within_a_request "" <<END_OF_MACHINE
$contexts
rules:
  write: {sql: INSERT INTO notes DEFAULT VALUES}
  note: {sql: ["SELECT count_of('bob')", "INSERT INTO notes DEFAULT VALUES"]}
invariants:
  authors: {sql: SELECT id FROM notes WHERE author <> 'ann', as: {}}
END_OF_MACHINE
fix=

# What no context sets, from one request to the next.
fix="CREATE FUNCTION sign_out() RETURNS void LANGUAGE sql AS \$\$ SELECT sign_in('') \$\$;"
kind persists "CREATE FUNCTION sign_out() RETURNS void LANGUAGE sql AS 'SELECT';" <<END_OF_MACHINE
$contexts
model: user = ""
initialize:
  - {sql: SELECT sign_in('')}
rules:
  sign_in: {sql: SELECT sign_in('ann'), model: user = "ann"}
  sign_out: {sql: SELECT sign_out(), model: user = ""}
invariants:
  signed_in: {sql: SELECT signed_in(), expect: user}
END_OF_MACHINE
fix=

# Scripts of bugs that need a step which leaves another role and other claims: they fail with the bug and pass with the
# fix only if the script sets the context of the next step.
cat >>schema.sql <<'SQL'
CREATE TABLE peeked (n int);
GRANT ALL ON peeked TO web, nobody;
CREATE FUNCTION peek(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO peeked VALUES (n);
    PERFORM set_config('request.jwt.claims', '{"sub": "bob"}', true);
    SET LOCAL ROLE nobody;
    RETURN 1 / n;
END $$;
CREATE FUNCTION write() RETURNS text LANGUAGE sql
    AS $$ INSERT INTO notes DEFAULT VALUES RETURNING author $$;
SQL
peeks='
  peek: {sql: SELECT peek(1)}'
perhaps='
  peek: {args: {n: "integers(0, 1)"}, sql: "SELECT peek(:n)", raises: "[division_by_zero, None]"}'
eve="CREATE OR REPLACE FUNCTION write() RETURNS text LANGUAGE plpgsql AS \$\$
DECLARE
    who text;
BEGIN
    INSERT INTO notes DEFAULT VALUES RETURNING author INTO who;
    RETURN CASE WHEN EXISTS (SELECT FROM peeked) THEN 'eve' ELSE who END;
END \$\$;"
refuses="CREATE OR REPLACE FUNCTION write() RETURNS text LANGUAGE plpgsql AS \$\$
BEGIN
    ASSERT NOT EXISTS (SELECT FROM peeked);
    RETURN 'ann';
END \$\$;"
for before in "$peeks" "$perhaps"; do
    kind script_expect "$eve" <<END_OF_MACHINE
$contexts
rules: $before
  write: {sql: SELECT write(), expect: '"ann"'}
END_OF_MACHINE
    kind script_error "$refuses" <<END_OF_MACHINE
$contexts
rules: $before
  write: {sql: SELECT write()}
END_OF_MACHINE
done
kind script_affects "CREATE RULE nothing AS ON DELETE TO notes WHERE EXISTS (SELECT FROM peeked)
    DO INSTEAD NOTHING;" <<END_OF_MACHINE
$contexts
rules: $peeks
  write: {sql: ["INSERT INTO notes DEFAULT VALUES", DELETE FROM notes], affects: 1}
END_OF_MACHINE

# Constraints are deferred again by the connecting user, whatever the step left.
cat >>schema.sql <<'SQL'
CREATE SCHEMA hidden;
CREATE TABLE hidden.owners (name text PRIMARY KEY);
CREATE TABLE hidden.pets (owner text REFERENCES hidden.owners DEFERRABLE INITIALLY DEFERRED);
SQL
kind script_deferred "$eve" <<END_OF_MACHINE
$contexts
rules:
  peek: {sql: SELECT peek(1), as: {}}
  write: {sql: SELECT write(), expect: '"ann"'}
END_OF_MACHINE

# The session user, in a machine whose contexts say nothing of it.
cat >>schema.sql <<'SQL'
CREATE FUNCTION become(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO peeked VALUES (2);
    EXECUTE format('SET SESSION AUTHORIZATION %I', name);
END $$;
CREATE FUNCTION who() RETURNS text LANGUAGE sql AS 'SELECT session_user::text';
SQL
ways='socket pg_prove' # TCP is another user
kind script_session_user "CREATE OR REPLACE FUNCTION who() RETURNS text LANGUAGE sql
    AS \$\$ SELECT CASE WHEN EXISTS (SELECT FROM peeked) THEN 'eve' ELSE session_user::text END \$\$;" <<END_OF_MACHINE
rules:
  become: {sql: SELECT become('nobody')}
  who: {sql: SELECT who(), expect: '"postgres"'}
END_OF_MACHINE

exit "$failed"
