#!/bin/sh
# `pgfsm diff` with differences that are expected: in the machine and in a file.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

# The function differs for some rows, and would leave other rows behind.
schema() { # TOTAL
    cat <<END_SQL
CREATE TABLE orders (id int PRIMARY KEY, total int NOT NULL, note text);
CREATE TABLE log (id int);
CREATE FUNCTION add(id int, n int) RETURNS int LANGUAGE plpgsql AS \$\$
BEGIN
  INSERT INTO log VALUES (id);
  INSERT INTO orders VALUES (id, $1, 'n');
  RETURN $1;
END \$\$;
CREATE FUNCTION listed() RETURNS TABLE (id int, total int) LANGUAGE sql AS
  \$\$ SELECT o.id, o.total FROM orders o ORDER BY o.id \$\$;
END_SQL
}
schema 'n' >old.sql
schema 'CASE WHEN n > 5 THEN 5 ELSE n END' >capped.sql
schema 'CASE WHEN n > 5 THEN 10 / (n - 7) ELSE n END' >raises.sql
{
    schema n
    echo 'CREATE VIEW many AS SELECT count(*) AS n FROM orders;'
} >view.sql
sed 's/count(\*)/count(*) + 1/' view.sql >view_more.sql
cat >app.yaml <<'END_YAML'
machine: app
rules:
  add: {args: {id: "integers(1, 4)", n: "integers(1, 9)"}, sql: "SELECT add(:id, :n)"}
  listed: {sql: SELECT * FROM listed()}
END_YAML
accepts() { # ENTRY...
    {
        cat app.yaml
        echo 'differences:'
        printf '  - %s\n' "$@"
    } >accepts.yaml
}
compares() { # STATUS OLD NEW [OPTION...]
    wanted=$1 before=$2 after=$3
    shift 3
    runs "$wanted" diff accepts.yaml --schema "$before.sql" --new-schema "$after.sql" --seed 1 --examples 30 --steps 10 \
        "$@"
}

# A step is undone on both sides, and the example goes on: the state agrees, and so does what follows.
accepts '{on: add, kind: rows, reason: capped now}'
compares 0 old capped --report json=report.json
out "accepted       add (capped now)"
out "2 rules with success"
out_lacks "ended early"
holds report.json '"accepted":[{"on":"add","kind":"rows","reason":"capped now","seen":true,"stale":false}]'
compares 0 old capped --jobs 2
accepts '{on: "rule a*", reason: capped now}'
compares 0 old capped
out "accepted       a* (capped now)"

# An error on one side alone is undone on the other.
accepts '{on: add, kind: error, to: "22012", reason: division}' '{on: add, kind: rows, reason: other}'
compares 0 old raises
out "accepted       add (division), add (other)"
compares 1 raises old
out_lacks "add (division)"

# What is not accepted fails: another rule, another kind, another outcome.
accepts '{on: listed, reason: other}'
compares 1 old capped
out "rule add"
accepts '{on: add, kind: count, reason: other}'
compares 1 old capped
accepts '{on: add, kind: error, to: "23505", reason: other}'
compares 1 old raises

# Where steps are committed, nothing can be undone: the example ends.
accepts '{on: add, reason: capped now}'
compares 0 old capped --commit
out "accepted       add (capped now)"
out "ended early"

# Of the state: a table or a view, or a column of it, whose other columns count.
sed 's/RETURN n/RETURN 1/' old.sql >quiet.sql
sed 's/RETURN CASE.*/RETURN 1;/' capped.sql >quiet_capped.sql
sed "s/'n'/'other'/" quiet_capped.sql >quiet_other.sql
accepts '{on: "*.total", reason: capped now}'
compares 0 quiet quiet_capped
out "accepted       *.total (capped now)"
compares 1 quiet quiet_other
out "n  "
accepts '{on: "table public.orders", reason: capped now}' '{on: "listed.total", kind: rows, reason: seen there}'
compares 0 quiet quiet_other
out "accepted       table public.orders (capped now), listed.total (seen there)"
accepts '{on: "view public.many", reason: one more}'
compares 0 view view_more
out "accepted       view public.many (one more)"

# The type of a column alone: its values are compared all the same, and a step that answers with it is not undone.
sed 's/total int/total bigint/' quiet.sql >wide.sql
sed 's/total int/total bigint/' quiet_capped.sql >wide_capped.sql
accepts '{on: "*.total", kind: column, reason: wider now}'
compares 0 quiet wide
out "accepted       *.total (wider now)"
compares 1 quiet wide_capped
out "has total 6 before, 5 after"
accepts '{on: "*.total", kind: column, reason: wider now}' '{on: "*.total", kind: rows, reason: capped now}'
compares 0 quiet wide_capped
out "accepted       *.total (wider now), *.total (capped now)"
accepts '{on: "table public.orders", kind: column, reason: wider now}' '{on: listed, kind: column, reason: wider now}'
compares 0 quiet wide
compares 1 quiet wide_capped
accepts '{on: "*.total", reason: anything}'
compares 0 quiet wide_capped

# A migration that fails on some rows ends the example.
echo 'ALTER TABLE orders ADD CHECK (total < 8);' >strict.sql
accepts '{on: migration, kind: migrate, to: "23514", reason: cleaned before}' '{on: add, kind: error, to: "23514", reason: "checked now"}'
runs 0 diff accepts.yaml --schema old.sql --apply strict.sql --seed 1 --examples 30 --steps 10
out "accepted       migration (cleaned before), add (checked now)"
out "ended early"

# In a file, without a machine, too; its mistakes have a place.
printf -- '- {on: "call_add", reason: capped now}\n- {on: "*public.orders", reason: capped now}\n- {on: "*listed", reason: x}\n' >expected.yaml
runs 0 diff --schema old.sql --new-schema capped.sql --seed 1 --examples 20 --no-save --differences expected.yaml
printf -- '- {on: add, kind: row}\n- add\n' >wrong.yaml
runs 2 diff app.yaml --schema old.sql --new-schema capped.sql --differences wrong.yaml
err "wrong.yaml:1:3: error: a difference needs the key 'reason'"
err "wrong.yaml:1:19: error: 'row' is no kind of difference, did you mean 'rows'?"
err "wrong.yaml:2:3: error: a difference must be a mapping, not text"
runs 2 diff app.yaml --schema old.sql --new-schema capped.sql --differences missing.yaml
err "missing.yaml: No such file or directory"

# One that a whole run did not see is told; a part of a run says nothing of it.
accepts '{on: gone, reason: other}'
compares 0 old old
out "not seen       gone, a difference that accepts.yaml:6 accepts: remove it if it is gone"
compares 0 old old --shard 1/2
out_lacks "not seen"
compares 0 old old --strict
left_nothing
finish
