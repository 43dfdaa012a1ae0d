#!/bin/sh
# `pgfsm diff`: each way to name two sides finds what differs, agrees with itself, and leaves nothing.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
quick="--examples $(by_day 4 8) --steps $(by_day 10 15) --seed 1 --no-save"

cat >old.sql <<'END_SQL'
CREATE TABLE customers (id serial PRIMARY KEY, name text NOT NULL);
CREATE TABLE orders (
    id serial PRIMARY KEY,
    customer int NOT NULL REFERENCES customers,
    total numeric(8, 2) CHECK (total >= 0),
    status text NOT NULL DEFAULT 'new'
);
CREATE FUNCTION cancel(o int) RETURNS void LANGUAGE sql AS $$ UPDATE orders SET status = 'cancelled' WHERE id = o $$;
CREATE FUNCTION list_orders() RETURNS TABLE (id int, status text) LANGUAGE sql
    AS $$ SELECT id, status FROM orders ORDER BY id $$;
END_SQL
sed "s/FROM orders ORDER/FROM orders WHERE status <> 'cancelled' ORDER/" old.sql >new.sql
# What a machine without a model finds in a few steps.
sed "s/DEFAULT 'new'/DEFAULT 'open'/" old.sql >other.sql
cat >app.yaml <<'END_YAML'
machine: app
schema: old.sql
rules:
  add_customer: {sql: INSERT INTO customers (name) VALUES ('ann') RETURNING id, target: customers}
  order: {args: {customer: customers}, sql: INSERT INTO orders (customer) VALUES (:customer) RETURNING id, target: orders}
  cancel: {args: {order: orders}, sql: "SELECT cancel(:order)"}
  list: {sql: SELECT * FROM list_orders()}
END_YAML

# differs TEXT WORD...: a difference is found, and its report has the text.
differs() {
    text=$1
    shift
    # shellcheck disable=SC2086 # words
    runs 1 diff $quick "$@"
    out "$text"
}
agrees() {
    # shellcheck disable=SC2086
    runs 0 diff $quick "$@"
}

# On the server that the environment names: with scratch databases, which are dropped.
differs 'before "new", after "open"' --schema old.sql --new-schema other.sql --report json=report.json --report markdown=report.md
for report in report.json report.md; do
    [ -s $report ] || complain "$said: no $report"
done
agrees --schema old.sql --new-schema old.sql
differs "rule list" app.yaml --new-schema new.sql
agrees app.yaml --new-schema old.sql
# The list shows it first. While it is shrunk, its last step turns out not to be needed.
differs "table public.orders after order (step 2)" --examples 1 app.yaml --new-schema other.sql
out "also     differs: rule list"
cat >up.sql <<'END_SQL'
CREATE INDEX ON orders (customer);
END_SQL
agrees --schema old.sql --apply up.sql
agrees app.yaml --apply up.sql
sed -n '/FUNCTION list/,$p' new.sql | sed 's/CREATE/CREATE OR REPLACE/' >list.sql
differs "rule list" app.yaml --apply 'l*.sql'
sed -n '/FUNCTION list/,$p' old.sql | sed 's/CREATE/CREATE OR REPLACE/' >unlist.sql
agrees app.yaml --apply list.sql --down unlist.sql
# A file with both ways is undone by its way down, whose lines keep their numbers.
{
    echo '-- migrate:up' && cat list.sql && echo '-- migrate:down' && cat unlist.sql
} >both.sql
agrees app.yaml --apply both.sql --down both.sql
left_nothing
runs 0 diff app.yaml --apply both.sql --down both.sql --examples 2 --steps 2 --seed 1
[ -e .pgfsm/down-both.sql ] || complain "$said: no .pgfsm/down-both.sql"
rm -r .pgfsm
sed '/^-- migrate:down/q' both.sql >never.sql
differs "rule list" app.yaml --apply never.sql --down never.sql
printf -- '-- migrate:up\nSELECT 1;\n-- migrate:down\n\nDROP TABLE missing;\n' >wrong.sql
# shellcheck disable=SC2086 # words
runs 2 diff $quick app.yaml --apply wrong.sql --down wrong.sql
err '.sql:5:1: error: table "missing" does not exist'
left_nothing
# By night: steps that are committed, several connections, and what fewer schemas have.
more() {
# What holds only where there are no rows yet.
echo 'ALTER TABLE orders ALTER total SET NOT NULL;' >filled.sql
differs "migrate filled.sql (step" app.yaml --apply filled.sql
agrees --schema old.sql --new-schema old.sql --commit
differs 'before "new", after "open"' --schema old.sql --new-schema other.sql --commit
differs 'before "new", after "open"' --schema old.sql --new-schema other.sql --jobs 2
# Everyone reads as the user whose id that server has made: nothing differs by nature.
cat >mine.sql <<'END_SQL'
DO $$ BEGIN CREATE ROLE app; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
CREATE TABLE users (id uuid PRIMARY KEY DEFAULT gen_random_uuid());
CREATE TABLE notes (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner uuid NOT NULL REFERENCES users, body text);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
GRANT SELECT, INSERT ON users, notes TO app;
CREATE POLICY mine ON notes TO app USING (owner = current_setting('app.user', true)::uuid);
END_SQL
cat >mine.yaml <<'END_YAML'
machine: mine
schema: mine.sql
contexts: {user: {role: app, settings: {app.user: user}}}
rules:
  join: {sql: INSERT INTO users DEFAULT VALUES RETURNING id, target: users}
  write: {args: {user: users}, sql: "INSERT INTO notes (owner, body) VALUES (:user, 'hello')"}
  read: {args: {user: users}, as: user, sql: SELECT body FROM notes}
END_YAML
agrees mine.yaml --new-schema mine.sql
out_lacks "not compared"
# Rows that the schemas begin with, of two moments.
cat >seeds.sql <<'END_SQL'
CREATE TABLE roles (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text UNIQUE,
    made timestamptz DEFAULT CURRENT_TIMESTAMP, seen timestamptz DEFAULT clock_timestamp());
INSERT INTO roles (name) SELECT 'r' || i FROM generate_series(1, 8) AS i;
END_SQL
agrees --schema seeds.sql --new-schema seeds.sql
echo "UPDATE roles SET name = 'r0' WHERE name = 'r1';" >renamed.sql
differs "table public.roles" --schema seeds.sql --apply renamed.sql
# What the set-up is answered, which leaves nothing in tables. Its difference ends no example before its steps.
cat >begun.yaml <<'END_YAML'
machine: begun
schema: seeds.sql
initialize: [{sql: SELECT count(*) FROM pg_proc WHERE proname = 'answer'}]
rules: {list: {sql: SELECT name FROM roles}}
END_YAML
echo "CREATE FUNCTION answer() RETURNS int LANGUAGE sql AS 'SELECT 42';" >answer.sql
differs "initialize 1 after initialize: row 1 is 0 before, 1 after" begun.yaml --apply answer.sql
out "compared       1 rule with success"
echo '- {on: initialize 1, reason: it is new}' >expected.yaml
agrees begun.yaml --apply answer.sql --differences expected.yaml
# A table that it reads is gone. Its transaction goes on.
sed -i "s/sql: SELECT count.*}/sql: SELECT * FROM kinds}/" begun.yaml
echo 'CREATE TABLE kinds (id int);' | cat seeds.sql - >kinds.sql
echo 'DROP TABLE kinds;' >drop.sql
differs "initialize 1 after initialize succeeded before and raised undefined_table after" begun.yaml --schema kinds.sql --apply drop.sql
out "compared       1 rule with success"
echo '- {on: initialize 1, kind: missing, reason: nobody reads it}' >expected.yaml
agrees begun.yaml --schema kinds.sql --apply drop.sql --differences expected.yaml
}
[ -z "$TEST_ALL" ] || more
left=$(psql -XAtc "SELECT datname FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1')")
[ -z "$left" ] || complain "scratch databases are left: $left"

# Two databases as they are: nothing is committed in them.
createdb before
createdb after
psql -Xq -d before -f old.sql
psql -Xq -d after -f old.sql
for database in before after; do
    psql -Xq -d $database -c "INSERT INTO customers (name) VALUES ('eve')"
done
agrees -d before --new-dbname after
psql -Xq -d after -c "ALTER TABLE orders ALTER status SET DEFAULT 'open'"
differs 'before "new", after "open"' -d before --new-dbname after
psql -Xq -d after -c "ALTER TABLE orders ALTER status SET DEFAULT 'new'"
agrees app.yaml --no-schema -d before --new-dbname "dbname=after"
for database in before after; do
    rows=$(psql -XAt -d $database -c 'SELECT * FROM customers' -c 'SELECT * FROM orders')
    [ "$rows" = "1|eve" ] || complain "$database is changed: $rows"
done

# An embedded server for each side, of the same version; by night also: a run that is repeated is the same.
differs 'before "new", after "open"' --embedded --schema old.sql --new-schema other.sql
[ -z "$TEST_ALL" ] || {
    sed 's/[0-9.]* s[,)]//g; s/, [0-9.]* s//g; s/ in [0-9.]* s//g' out >first
    differs 'before "new", after "open"' --embedded --schema old.sql --new-schema other.sql
    sed 's/[0-9.]* s[,)]//g; s/, [0-9.]* s//g; s/ in [0-9.]* s//g' out | diff first - || complain "$said: another result"
}
agrees --embedded --schema old.sql --new-pg-bindir "$(pg_config --bindir)"

# A revision of git.
cp old.sql schema.sql
sed 's/old.sql/schema.sql/' app.yaml >base.yaml
git init -q -b main .
git add schema.sql base.yaml
git -c user.name=a -c user.email=a@example.com commit -qm one
agrees --base main base.yaml
cp other.sql schema.sql
differs 'before "new", after "open"' --base main --schema schema.sql
cp new.sql schema.sql
runs 1 diff --examples 8 --steps 15 --seed 1 --base main base.yaml
out "rule list"
out "diff base.yaml --base main"

# A plain run leaves the stored failures of diff alone.
runs 0 run --examples 3 --seed 1 base.yaml
ls .pgfsm/app/*.trace >/dev/null || complain "$said: removed the failure of diff"
runs 1 diff --last-failed --base main base.yaml
left_nothing
# Rows that the schema's files make at random are the same before and after a migration.
cat >random.sql <<'SQL'
CREATE TABLE teams (id text PRIMARY KEY, name text NOT NULL);
CREATE TABLE settings (id text PRIMARY KEY, team_id text NOT NULL REFERENCES teams, value int);
INSERT INTO teams SELECT 'team_' || md5(random()::text), 'team ' || n FROM generate_series(1, 3) AS n;
INSERT INTO settings SELECT md5(random()::text), id, (random() * 100000)::int FROM teams;
SQL
echo 'ALTER TABLE settings ADD COLUMN note text;' >note.sql
agrees --schema random.sql --apply note.sql
out 'agree  random'
echo "UPDATE settings SET value = value + 1 WHERE value IS NOT NULL;" >raise.sql
runs 1 diff --schema random.sql --apply raise.sql --seed 1 --examples "$(by_day 1 8)" --steps "$(by_day 3 50)" --no-save

finish
