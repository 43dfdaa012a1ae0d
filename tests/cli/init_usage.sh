#!/bin/sh
# `pgfsm init`: the sources of the schema, the target of the machine, and refused arguments. By night ($PGFSM_TEST_ALL),
# also machines of more schemas that once were too much for it.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

mkdir sql machines
cat >sql/shop.sql <<'END'
CREATE SCHEMA app;
CREATE TABLE app.users (id serial PRIMARY KEY);
CREATE TABLE orders (id serial PRIMARY KEY, "user" int REFERENCES app.users);
CREATE TABLE lonely (id int);
INSERT INTO orders VALUES (DEFAULT, NULL);
END

# From files: paths are relative to the machine. Referenced tables are included.
runs 0 init --full --schema sql/shop.sql --table orders -o machines/shop.yaml
[ ! -s out ] || complain "$said: it prints, too"
grep -qF 'schema: ["../sql/shop.sql"]' machines/shop.yaml || complain "$said: $(head -n 9 machines/shop.yaml)"
grep -q 'insert_app_users:' machines/shop.yaml || complain "$said: without the table referred to"
! grep -q lonely machines/shop.yaml || complain "$said: with a table that was not asked for"
runs 0 run machines/shop.yaml --no-save --seed 1 --examples 10
runs 0 init --full --schema sql/shop.sql --table app.users
out_lacks insert_orders

# A pattern stays one.
runs 0 init --full --schema 'sql/*.sql' -o machines/all.yaml
err_lacks "not tested"
grep -qF 'schema: ["../sql/*.sql"]' machines/all.yaml || complain "$said: $(head -n 9 machines/all.yaml)"
runs 0 run machines/all.yaml --no-save --seed 1 --examples 5

# Tables, functions and arguments may have names that the model, the rules and the language also
# use.
for name in steps dates errors key text row t users_1 class '"3 Ä"'; do
    echo "CREATE TABLE $name (id int PRIMARY KEY, x int);"
done >sql/names.sql
echo 'CREATE FUNCTION write(key int, "for" int) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;' >>sql/names.sql
runs 0 init --full --schema sql/names.sql -o machines/names.yaml
runs 0 check machines/names.yaml
grep -q '^  call_write:' machines/names.yaml || complain "$said: no rule call_write"
runs 0 run machines/names.yaml --no-save --seed 1 --examples 2

# Arguments are drawn from the keys that their names suggest, together if one row has them, otherwise from the keys of
# the tables in the function. An error that a function raises is expected only of rules that call it or fire it.
cat >sql/bank.sql <<'END_SQL'
CREATE TABLE branches (id uuid PRIMARY KEY, code char(3) UNIQUE);
CREATE TABLE accounts (id bigint PRIMARY KEY, branch uuid REFERENCES branches, balance int, closed_by uuid REFERENCES branches);
CREATE TABLE notes (id int PRIMARY KEY, note text);
CREATE FUNCTION pay(p_account_id int, _amount int, from_branch uuid, closed uuid, who uuid, the_code text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'no' USING ERRCODE = 'insufficient_privilege';
    UPDATE accounts SET balance = 1;
END $$;
CREATE FUNCTION look(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT balance FROM accounts WHERE id = $1';
CREATE FUNCTION final() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE SQLSTATE '0A000'; END $$;
CREATE FUNCTION lend(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    CASE n WHEN 1 THEN RETURN 1; WHEN 2 THEN RAISE EXCEPTION 'raise nothing;'; END CASE;
    RAISE too_many_connections USING MESSAGE = 'none is left';
END $$;
CREATE TRIGGER final BEFORE DELETE ON notes FOR EACH ROW EXECUTE FUNCTION final();
END_SQL
runs 0 init --full --schema sql/bank.sql -o machines/bank.yaml
cp machines/bank.yaml out
out "of: one_of(none(), accounts, accounts, accounts)"
out "arg_p_account_id: 'accounts[of][\"id\"] if of != None else one_of(accounts, accounts, accounts, integers(-100, 100))'"
out "arg__amount: 'integers(-100, 100)'"
out "arg_from_branch: 'accounts[of][\"branch\"] if of != None else one_of(branches, branches, branches, uuids())'"
out "arg_closed: 'accounts[of][\"closed_by\"] if of != None else one_of(branches, branches, branches, uuids())'"
out "arg_who: 'one_of(branches, uuids())'"
out "arg_the_code: 'one_of(column(\"branches.code\"), column(\"branches.code\"), sampled_from([r[\"code\"] for r in branches.values()]), text(max_size=20))'"
out "arg_arg_1: 'one_of(accounts, integers(-100, 100))'"
out "raises: '[None, integrity_constraint_violation, data_exception, plpgsql_error, \"insufficient_privilege\"]'"
out "raises: '[None, integrity_constraint_violation, data_exception, plpgsql_error]'"
out 'data_exception, plpgsql_error, "case_not_found", "function_executed_no_return_statement", "too_many_connections"]'
out '"raised": [plpgsql_error, data_exception, "0A000"],'
runs 0 run machines/bank.yaml --no-save --seed 1 --examples 10

more() {
# If a function needs an object that only an uncalled function creates (because that one changes the schema), it is not
# called either.
cat >sql/later.sql <<'END_SQL'
CREATE TABLE items (id int PRIMARY KEY);
CREATE FUNCTION expand() RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER TABLE items ADD COLUMN weight int; END $$;
CREATE FUNCTION weigh() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT max(weight) FROM items); END $$;
CREATE FUNCTION "Look ""in"" all"() RETURNS int LANGUAGE sql AS 'SELECT weigh()';
CREATE FUNCTION count_items() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM items';
CREATE FUNCTION list_items(n int, OUT more boolean) RETURNS boolean LANGUAGE sql AS 'SELECT count(*) > n FROM items';
CREATE FUNCTION all_items() RETURNS TABLE (id int, n bigint) LANGUAGE sql AS 'SELECT id, count(*) FROM items GROUP BY id';
END_SQL
runs 0 init --full --schema sql/later.sql -o machines/later.yaml
cp machines/later.yaml out
out '# No rule calls "public.weigh": it needs weight, which "expand" makes.'
out call_count_items:
out call_all_items:
out 'SELECT * FROM public.list_items(CAST(:arg_n AS integer))'
out_lacks call_expand
runs 0 run machines/later.yaml --no-save --seed 1 --examples 10

# A user who calls a function is one whom it concerns: a member of the tenant that the document belongs to.
cat >sql/tenants.sql <<'END_SQL'
DO $do$ BEGIN CREATE ROLE pgfsm_init_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $do$;
CREATE TABLE tenants (id int PRIMARY KEY);
CREATE TABLE users (id int PRIMARY KEY);
CREATE TABLE members (tenant int REFERENCES tenants, "user id" int REFERENCES users, PRIMARY KEY (tenant, "user id"));
CREATE TABLE docs (id int PRIMARY KEY, tenant int NOT NULL REFERENCES tenants);
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON docs, members TO pgfsm_init_reader;
CREATE POLICY own ON docs TO pgfsm_init_reader
    USING (EXISTS (SELECT FROM members AS m WHERE m.tenant = docs.tenant AND "user id" = current_setting('app.user_id')::int));
CREATE FUNCTION read_doc(doc_id int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE found int; BEGIN SELECT tenant INTO STRICT found FROM docs WHERE id = doc_id; RETURN found; END $$;
CREATE FUNCTION leave(tenant int) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM members AS m WHERE m.tenant = $1 $$;
END_SQL
runs 0 init --full --schema sql/tenants.sql -o machines/tenants.yaml
cp machines/tenants.yaml out
out "actor_users: 'sampled_from([r[\"user id\"] for r in members.values() if r[\"user id\"] != None and r[\"tenant\"] == docs[of][\"tenant\"]] or users) if of != None else users'"
out "actor_users: 'members[of][\"user id\"] if of != None and members[of][\"user id\"] != None else users'"
runs 0 run machines/tenants.yaml --no-save --seed 1 --examples 30

# Values that row() does not draw are tried, too: NULL, values that a CHECK rejects, defaults.
cat >sql/small.sql <<'END'
CREATE TABLE kinds (code char(3) PRIMARY KEY);
CREATE TABLE things (id serial PRIMARY KEY, kind char(3) NOT NULL REFERENCES kinds ON UPDATE CASCADE, title text NOT NULL,
    n int NOT NULL DEFAULT 3 CHECK (n > 0), done boolean NOT NULL DEFAULT false);
END
runs 0 init --full --schema sql/small.sql -o machines/small.yaml
runs 0 mutate machines/small.yaml --seed 1 --examples 40 --only 'drop-*' --only 'default-*' --only 'on-*' --only 'move-*' --min-score 100

}
[ -z "$TEST_ALL" ] || more

# Policies are tested as the four roles that most are for; those of others are named, in the machine and on standard
# error.
cat >sql/roles.sql <<'END'
DO $do$ BEGIN
    CREATE ROLE pgfsm_init_user; CREATE ROLE pgfsm_init_a; CREATE ROLE pgfsm_init_b; CREATE ROLE pgfsm_init_c; CREATE ROLE pgfsm_init_d;
EXCEPTION WHEN duplicate_object THEN NULL; END $do$;
CREATE TABLE users (id int PRIMARY KEY);
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON users TO pgfsm_init_user USING (id = current_setting('app.user_id')::int);
CREATE POLICY see ON users FOR SELECT TO pgfsm_init_user USING (true);
CREATE POLICY watch ON users FOR SELECT TO pgfsm_init_a, pgfsm_init_b, pgfsm_init_c USING (true);
CREATE POLICY administer ON users TO pgfsm_init_d USING (true);
END
runs 0 init --full --schema sql/roles.sql -o machines/roles.yaml
err 'init: not tested: policies administer on users, which are not for "pgfsm_init_user", "pgfsm_init_a", "pgfsm_init_b" or "pgfsm_init_c".'
grep -q '^# Not tested: policies administer on users' machines/roles.yaml || complain "$said: $(head machines/roles.yaml)"

# Each run names the parts that no rule tests.
cat >sql/hidden.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, a int, touched timestamptz NOT NULL, UNIQUE (id, a));
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.touched = now(); RETURN NEW; END';
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION touch();
CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.a = 7 THEN RAISE ''no''; END IF; RETURN NEW; END';
CREATE TRIGGER guard BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION guard();
END
runs 0 init --schema sql/hidden.sql -o machines/hidden.yaml
runs 0 run machines/hidden.yaml --no-save --examples 2 --seed 1
out "not tested     unique constraints that another one implies: t_id_a_key on t"
out "not tested     NOT NULL of columns that a trigger sets: touched on t"
out "not tested     triggers whose loss no rule shows: guard on t"

operators() {
# Operators of an extension, in front of those of pg_catalog, fit arrays in queries of our own as well.
cat >sql/intarray.sql <<'END'
CREATE SCHEMA extensions;
CREATE EXTENSION intarray SCHEMA extensions;
ALTER DATABASE :"DBNAME" SET search_path = extensions, pg_catalog, public;
SET search_path = public;
CREATE TABLE parent (id smallint PRIMARY KEY);
CREATE TABLE child (id smallint PRIMARY KEY, parent smallint REFERENCES parent ON UPDATE CASCADE ON DELETE SET NULL, UNIQUE (parent, id));
END
runs 0 init --full --schema sql/intarray.sql -o machines/intarray.yaml
runs 0 run machines/intarray.yaml --no-save --seed 1 --examples 2 --stats
runs 0 run machines/intarray.yaml --no-save --seed 1 --examples 2 --commit
runs 0 mutate machines/intarray.yaml --seed 1 --examples 1
}
[ -z "$TEST_ALL" ] || operators

# From an existing database, with its rows.
psql -qX -d postgres -f sql/shop.sql
runs 0 init --full -d postgres
mv out named.yaml
! grep -q '^schema:' named.yaml || complain "$said: names a schema"
runs 0 run named.yaml -d postgres --no-save --seed 1 --examples 10

# A refused command leaves no file.
runs 2 init --schema sql/shop.sql -o machines/shop.yaml
err "machines/shop.yaml exists already"
runs 2 init --schema sql/shop.sql --table users -o new.yaml
err "there is no table 'users'"
runs 2 init --schema sql/none.sql -o new.yaml
err "sql/none.sql"
runs 2 init --schema sql/shop.sql -o none/new.yaml
err "none"
echo 'CREATE TABLE t (' >wrong.sql
runs 2 init --schema sql/ -o new.yaml
err "to load the files in it, write a pattern: 'sql/*.sql'"
runs 2 init --schema wrong.sql -o new.yaml
err "wrong.sql:"
: >empty.sql
runs 2 init --schema empty.sql -o new.yaml
err "there are no tables"
runs 2 init --free --schema empty.sql -o new.yaml
err "there are no tables, views or functions that a rule could use"

cat >large.sql <<'EOF'
CREATE TABLE measured (at int PRIMARY KEY, note text) WITH (fillfactor = 10);
CREATE TABLE places (name text PRIMARY KEY);
INSERT INTO measured SELECT i, repeat('x', 600) FROM generate_series(1, 7000) AS i;
EOF
runs 2 init --schema large.sql
err 'the tables hold 54 MB of rows, more than the 48 MB that a model can hold'
err "most are in 'measured'"
runs 0 init --schema large.sql --table places

# A pattern leads from the machine's folder.
mkdir -p parts elsewhere
echo 'CREATE TABLE part (id int PRIMARY KEY);' >parts/1.sql
runs 0 init --schema 'parts/*.sql' -o elsewhere/new.yaml
grep -q '^tables:' elsewhere/new.yaml || complain 'the machine in another folder is not short'
printf 'CREATE TABLE a (id int PRIMARY KEY);\nDROP DATABASE IF EXISTS named;\n' >drops.sql
printf 'CREATE TABLE a (id int PRIMARY KEY);\n\\c named\nCREATE TABLE b (id int PRIMARY KEY);\n' >connects.sql
psql -qX -c 'CREATE DATABASE named'
runs 2 init --schema connects.sql -o new.yaml
err "connects.sql:2:1: error: the file connects to another database here"
runs 2 init --schema connects.sql --embedded -o new.yaml
err "connects.sql:2:1: error: the file connects to another database here"
runs 2 init --schema drops.sql -o new.yaml
err "drops.sql:2:1: error: the file creates or drops a database here"
[ -z "$(psql -qXAt -d named -c "SELECT 1 FROM pg_class WHERE relname = 'b'" 2>&1)" ] || complain "the file changed another database"
runs 0 init --full --schema drops.sql --embedded
runs 2 init sql/shop.sql
err "write --schema sql/shop.sql"
no_database
runs 2 init -o new.yaml
err "no schema given, and no migrations found here"
[ ! -e new.yaml ] || complain "a file of what was refused"
finish
