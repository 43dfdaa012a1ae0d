#!/bin/sh
# Several sessions on each kind of table, with each way to write: correct machines pass, even if the user is not a
# superuser and can't make gates. A step that fails outside of a transaction does not affect the session's next one. A
# failure that needs no second session is shown as such.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"

# run STATUS MACHINE OPTION...
run() {
    wanted=$1
    shift
    status=0
    "$PROGRAM" run "$@" --sessions 2 --seed 1 --color never >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || {
        echo "$*: exit status $status, not $wanted"
        cat report
        exit 1
    }
}

# says TEXT
says() {
    grep -qF "$1" report || {
        echo "not a word of: $1"
        cat report
        exit 1
    }
}

cat >kinds.sql <<'SQL'
CREATE TABLE parts (id int PRIMARY KEY, n int NOT NULL) PARTITION BY LIST (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_rest PARTITION OF parts DEFAULT;
INSERT INTO parts VALUES (1, 0), (2, 0);
CREATE TABLE people (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE workers () INHERITS (people);
INSERT INTO people VALUES (1, 0);
INSERT INTO workers VALUES (2, 0);
CREATE TABLE counts (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE merged (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE inbox (id int PRIMARY KEY);
CREATE TABLE done (id int PRIMARY KEY);
CREATE VIEW open AS SELECT id FROM inbox;
CREATE FUNCTION open_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO inbox VALUES (NEW.id);
    RETURN NEW;
END $$;
CREATE TRIGGER open_it INSTEAD OF INSERT ON open FOR EACH ROW EXECUTE FUNCTION open_it();
SQL
cat >kinds.yaml <<'YAML'
machine: kinds
schema: kinds.sql
model: |
  parts = {1: 0, 2: 0}
  people = {1: 0, 2: 0}
  counts = {}
  merged = {}
  inbox = set()
  done = set()
  def some_id():
      return sampled_from([1, 2])
rules:
  part:
    args: {id: some_id()}
    sql: UPDATE parts SET n = n + 1 WHERE id = :id RETURNING n
    expect: parts[id] + 1
    model: parts[id] += 1
  person:
    args: {id: some_id()}
    sql: UPDATE people SET n = n + 1 WHERE id = :id RETURNING n
    expect: people[id] + 1
    model: people[id] += 1
  count:
    args: {id: some_id()}
    sql: INSERT INTO counts VALUES (:id, 1) ON CONFLICT (id) DO UPDATE SET n = counts.n + 1 RETURNING n
    expect: counts.get(id, 0) + 1
    model: counts[id] = counts.get(id, 0) + 1
  copy:
    weight: 0.3
    sql: COPY counts FROM '/dev/null'
  clear:
    weight: 0.3
    sql: TRUNCATE counts
    model: counts = {}
  merge:
    args: {id: some_id()}
    sql: |
      MERGE INTO merged AS m USING (VALUES (:id::int)) AS v (id) ON m.id = v.id
      WHEN MATCHED THEN UPDATE SET n = m.n + 1 WHEN NOT MATCHED THEN INSERT VALUES (v.id, 1)
    raises: "[None, unique_violation] if id in merged else None"
    model: merged[id] = merged.get(id, 0) + 1
  open:
    args: {id: some_id()}
    sql: INSERT INTO open VALUES (:id)
    raises: unique_violation if id in inbox else None
    model: inbox.add(id)
  finish:
    args: {id: some_id()}
    sql: |
      WITH gone AS (DELETE FROM inbox WHERE id = :id RETURNING id)
      INSERT INTO done SELECT id FROM gone ON CONFLICT DO NOTHING
    affects: 1 if id in inbox and id not in done else 0
    model: |
      if id in inbox:
          inbox.remove(id)
          done.add(id)
invariants:
  parts: {sql: "SELECT id, n FROM parts", expect: parts}
  people: {sql: "SELECT id, n FROM people", expect: people}
  counts: {sql: "SELECT id, n FROM counts", expect: counts}
  merged: {sql: "SELECT id, n FROM merged", expect: merged}
  inbox: {sql: SELECT id FROM inbox, expect: inbox}
  done: {sql: SELECT id FROM done, expect: done}
YAML
# Before version 15 there is no MERGE.
[ "$SERVER_MAJOR" -ge 15 ] || sed -i '/^  merge:/,/^    model:/d' kinds.yaml

cat >outside.sql <<'SQL'
CREATE TABLE t (name text NOT NULL);
SQL
cat >outside.yaml <<'YAML'
machine: outside
schema: outside.sql
model: n = 0
contexts:
  named: {settings: {app.name: "'ann'"}}
rules:
  fail:
    as: named
    transaction: none
    sql: SELECT 1 / 0
    raises: division_by_zero
  add:
    sql: INSERT INTO t VALUES (coalesce(current_setting('app.name', true), ''))
    model: n += 1
invariants:
  count: {sql: "SELECT count(*) FROM t WHERE name = ''", expect: n}
YAML

run 1 "$top/machines/items.yaml" -d postgres --apply "$top/sql/bugs/items-soft-delete.sql"
says "FAIL  items  rule read_deleted (step 3)"
says "shrunk to 3 steps"
run 0 outside.yaml -d postgres --examples 30
run 0 kinds.yaml -d postgres --examples 20
createuser --createdb maker
psql -qX -c "GRANT pg_read_server_files TO maker"
run 0 kinds.yaml -d postgres -U maker --examples 2
says "sessions stop only between statements, not inside of them: the user can't make gates"
run 0 kinds.yaml -d postgres --keep --examples 2
database=$(sed -n 's/.*-d \([a-z0-9_]*\).*/\1/p' report)
psql -qXAt -d "$database" -c "SELECT 1 / (count(*) = 0)::int FROM pg_trigger WHERE tgname ~ 'pgfsm'" >/dev/null
