#!/bin/sh
# The literal example machine of docs/MACHINES.md with tables(): it passes, and it finds each constraint that is missing
# or different. Also tests tables that stayed empty.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >projects.sql <<'END'
CREATE TABLE tenants (id int PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE projects (id int PRIMARY KEY, tenant_id int REFERENCES tenants ON DELETE CASCADE);
END
# shellcheck disable=SC2016 # backticks
{
    echo 'machine: projects'
    echo 'schema: [projects.sql]'
    sed -n '/^### Model tables with foreign keys/,/^### Let /p' "$here/../../docs/MACHINES.md" |
        sed -n '/^```yaml/,/^```$/p' | grep -v '^```'
} >projects.yaml
runs 0 run projects.yaml --no-save --seed 1

fails_with() { # SQL
    echo "$1" >bug.sql
    runs 1 run projects.yaml --no-save --seed 1 --apply bug.sql
    out FAIL
}
fails_with 'ALTER TABLE tenants ALTER name DROP NOT NULL'
fails_with 'ALTER TABLE tenants DROP CONSTRAINT tenants_name_key'
fails_with 'ALTER TABLE projects DROP CONSTRAINT projects_pkey'
fails_with 'ALTER TABLE projects DROP CONSTRAINT projects_tenant_id_fkey'
for action in 'NO ACTION' RESTRICT 'SET NULL'; do
    fails_with "ALTER TABLE projects DROP CONSTRAINT projects_tenant_id_fkey,
        ADD CONSTRAINT projects_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants ON DELETE $action"
done

# Tables that no example had a row in: not those that initialize fills, nor those whose rows are all deleted again.
cat >shop.sql <<'END'
CREATE TABLE city (name text PRIMARY KEY);
INSERT INTO city VALUES ('Rome');
CREATE TABLE shop (id int PRIMARY KEY, city text NOT NULL REFERENCES city);
CREATE TABLE visit (id int PRIMARY KEY, shop int NOT NULL REFERENCES shop);
CREATE TABLE bill (id int PRIMARY KEY, visit int NOT NULL REFERENCES visit);
END
cat >shop.yaml <<'END'
machine: shop
schema: shop.sql
model: |
  db = tables({
      "city": {"key": "name"},
      "shop": {"key": "id", "references": {"shop_city_fkey": {"columns": "city", "table": "city"}}},
      "visit": {"key": "id", "references": {"visit_shop_fkey": {"columns": "shop", "table": "shop"}}},
  })
  more = tables({"bill": {"key": "id"}})
  shops = db.table("shop")
initialize:
  - sql: SELECT 'city', to_jsonb(array[name]), to_jsonb(t) FROM city AS t
    model: db.read(result.rows)
rules:
  open:
    args: {id: "integers(1, 5)"}
    precondition: not shops
    let: {row: '{"id": id, "city": "Rome"}'}
    sql: INSERT INTO shop VALUES (:id, 'Rome')
    model: db.insert("shop", row)
  close:
    args: {id: shops}
    sql: DELETE FROM shop WHERE id = :id
    model: db.delete("shop", id)
  come:
    args: {id: "integers(1, 5)"}
    let: {row: '{"id": id, "shop": 9}'}
    sql: INSERT INTO visit VALUES (:id, 9)
    raises: db.inserting("visit", row)
    model: db.insert("visit", row)
invariants:
  visits: {sql: SELECT id FROM visit, expect: '[]'}
END
for jobs in 1 2; do
    runs 0 run shop.yaml --no-save --seed 1 --examples 6 --jobs $jobs --stats --report json=shop.json
    out '    stayed empty   2 of 4 tables of the model: visit, bill'
    [ "$(jq -r 'select(.type == "machine").stats.tables[] | .name + " " + (.filled | tostring)' shop.json | tr '\n' ' ')" = \
        'city 6 shop 6 visit 0 bill 0 ' ] || complain "JSON: $(cat shop.json)"
done
echo 'ALTER TABLE visit DROP CONSTRAINT visit_shop_fkey' >bug.sql
runs 1 run shop.yaml --no-save --seed 1 --apply bug.sql
out_lacks 'stayed empty'

# Rows that every example begins with: in several sessions and workers, with steps that are committed, in a named database.
cat >seeded.sql <<'END'
CREATE TABLE kept (id int PRIMARY KEY, n int NOT NULL);
INSERT INTO kept VALUES (1, 0), (2, 0);
END
cat >seeded.yaml <<'END'
machine: seeded
schema: seeded.sql
model: |
  db = tables({"kept": {"key": "id", "unique": {"kept_pkey": "id"}}})
  kept = db.table("kept")
initialize:
  - sql: INSERT INTO kept VALUES (3, 0)
  - sql: SELECT 'kept', jsonb_build_array(id), to_jsonb(kept) FROM kept
    model: db.seed(result)
rules:
  add:
    args: {id: "integers(1, 5)"}
    let: {row: '{"id": id, "n": 0}'}
    sql: INSERT INTO kept VALUES (:id, 0)
    raises: db.inserting("kept", row)
    model: db.insert("kept", row)
  bump:
    args: {id: kept}
    sql: UPDATE kept SET n = n + 1 WHERE id = :id
    affects: 1
    model: 'db.update("kept", id, {"n": kept[id]["n"] + 1})'
invariants:
  ids: {sql: SELECT id FROM kept, expect: 'bag([(k,) for k in kept])'}
  written:
    for: {ids: '[db.written("kept")]'}
    sql: SELECT id, n FROM kept WHERE id = ANY(:ids)
    expect: 'bag([(k, kept[k]["n"]) for k in ids])'
END
for options in '' '--jobs 2' --no-pipeline --commit; do
    # shellcheck disable=SC2086
    runs 0 run seeded.yaml --no-save --seed 1 --examples 20 $options
done
sed '/^  written:/,$d' seeded.yaml >sessions.yaml
runs 0 run sessions.yaml --no-save --seed 1 --examples 10 --sessions 2
createdb named
psql -qX -d named -f seeded.sql
sed '/^schema:/d' seeded.yaml >named.yaml
runs 0 run named.yaml --no-save --seed 1 --examples 20 -d named
[ "$(psql -qXAt -d named -c 'SELECT count(*), sum(n) FROM kept')" = '2|0' ] || complain 'the named database has changed'

# Only a result, or a list of rows.
sed 's/db.seed(result)/db.seed(range(3))/' seeded.yaml >wrong.yaml
runs 2 run wrong.yaml --no-save --seed 1
err 'seed() needs a result or a list of rows, not range'

# At the end of an example, a query may ask which tables its transaction wrote. Changes that a rollback does not undo
# are still named.
cat >>named.yaml <<'END'
  at_the_end:
    when: end
    sql: SELECT id FROM kept WHERE age(xmin) IS NULL OR 'pg_advisory_lock' = ''
END
runs 0 run named.yaml --no-save --seed 1 --examples 2 -d named
out 'advisory locks of a session are not rolled back'
out_lacks 'xmin are not'
sed -i 's/when: end/when: step/' named.yaml
runs 0 run named.yaml --no-save --seed 1 --examples 2 -d named
out 'xmin are not'
finish
