#!/bin/sh
# The steps of a report name the values that the database generated, wherever the model keeps them. The steps can be
# pasted, or the report has no `pin` line.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/../pg/pinned_kind.sh"
server_start socket
work=$(mktemp -d)
trap 'rm -rf "$work"; server_stop' EXIT
cd "$work" || exit 1
export NO_COLOR=1

# schema TYPE HOW: ids of that type. Mistake: an item that is finished again is counted again.
schema() {
    cat <<SQL
CREATE TABLE list (id $1 PRIMARY KEY $2);
CREATE TABLE item (id $1 PRIMARY KEY $2, list $1 NOT NULL);
CREATE TABLE done_count (list $1 PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION count_done() RETURNS trigger LANGUAGE plpgsql AS \$\$
BEGIN
    INSERT INTO done_count VALUES (NEW.list, 1) ON CONFLICT (list) DO UPDATE SET n = done_count.n + 1;
    RETURN NULL;
END \$\$;
CREATE TRIGGER count_done AFTER UPDATE ON item FOR EACH ROW EXECUTE FUNCTION count_done();
SQL
}
schema uuid "DEFAULT gen_random_uuid()" >uuid.sql
schema int "GENERATED ALWAYS AS IDENTITY (START 5)" >serial.sql

# machine IDS TARGET ITEM [SQL]: the value that `finish` draws, and the SQL that reads it.
machine() {
    cat <<END
machine: lists
schema: $1.sql
model: |
  lists = {}                         # list -> its items
  mixed = {"a": [5, 5000]}
  done = set()
rules:
  add_list:
    limit: 3
    sql: INSERT INTO list DEFAULT VALUES RETURNING id
    target: lists
    value: "[]"
  add_item:
    args: {list: lists}
    sql: INSERT INTO item (list) VALUES (:list) RETURNING id
    ${2:+target: $2}
    model: lists[list].append(result.value)
  finish:
    args:
      list: lists
      item: '$3'
    sql: UPDATE item SET list = list WHERE id = ${4:-:item}
    affects: 1
    model: 'done.add(item["id"] if type(item) == "dict" else item)'
invariants:
  counts:
    for: {list: lists}
    sql: SELECT coalesce((SELECT n FROM done_count WHERE list = :list), 0)
    expect: len([i for i in lists[list] if i in done])
END
}

named() {
    grep -qF ", item=$1)" report || complain "no item=$1"
}

while IFS='|' read -r ids item shown sql; do
    machine "$ids" items "$item" "$sql" >named.yaml
    pasted named.yaml
    named "$shown"
done <<'END'
uuid|sampled_from(lists[list])|items_1
serial|sampled_from(lists[list])|items_1
uuid|sampled_from(sorted(lists[list]))|items_1
uuid|sampled_from([i for x in lists.values() for i in x])|items_1
uuid|sampled_from([(1, i) for i in lists[list]]).map(lambda pair: pair[1])|items_1
uuid|sampled_from([{"id": i} for i in lists[list]])|{"id": items_1}|(:item::jsonb ->> 'id')::uuid
uuid|builds(lambda i: {"id": i}, sampled_from(lists[list]))|{"id": items_1}|(:item::jsonb ->> 'id')::uuid
END

# A number that is equal to an id by chance: computed for the draw, or kept with other numbers.
while read -r item; do
    machine serial items "$item" >equal.yaml
    pasted equal.yaml
    named 5
done <<'END'
sampled_from(range(5, 5 + len(lists[list])))
sampled_from(mixed["a"]).filter(lambda i: i in lists[list])
END

# They are in no bundle. A serial number is the same in every run, a random id is not.
machine serial "" "sampled_from(lists[list])" >nameless.yaml
pasted nameless.yaml
named 5
machine uuid "" "sampled_from(lists[list])" >nameless.yaml
run 1 nameless.yaml --seed 4
! grep -q '^  pin ' report || complain "steps that can't be pasted"
exit "$failed"
