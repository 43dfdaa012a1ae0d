#!/bin/sh
# Stored differences run first in the next `pgfsm diff`, and in no other command.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >old.sql <<'END'
CREATE TABLE notes (id int PRIMARY KEY);
CREATE FUNCTION said(n int) RETURNS text LANGUAGE sql AS $$ SELECT 'said ' || n $$;
END
cat >new.sql <<'END'
CREATE TABLE notes (id int PRIMARY KEY);
CREATE FUNCTION said(n int) RETURNS text LANGUAGE sql AS $$ SELECT CASE WHEN n < 4 THEN 'said ' || n ELSE 'much' END $$;
END
cat >by_chance.sql <<'END'
CREATE TABLE notes (id int PRIMARY KEY);
CREATE FUNCTION said(n int) RETURNS text LANGUAGE sql AS $$ SELECT 'said ' || random() $$;
END
cat >notes.yaml <<'END'
machine: notes
schema: old.sql
rules:
  say: {args: {n: "integers(1, 9)"}, sql: "SELECT said(:n)"}
END
trace='.pgfsm/notes/rule-say-rows-*.trace'

stored() { # WANTED
    # shellcheck disable=SC2086 # a pattern
    [ "$(cat $trace 2>/dev/null | grep -c '^failure ')" = "$1" ] || complain "$said: other than $1 stored differences"
}

runs 1 diff notes.yaml --new-schema new.sql --seed 1
out "rule say"
out "replay counterexamples/notes-say-rows.sql"
out_lacks "pgfsm pin"
out_lacks "pgfsm show"
stored 1

# A run of one database neither runs it nor takes it for mended.
runs 0 run notes.yaml --seed 1 --examples 5
runs 5 run notes.yaml --last-failed
stored 1

# It fails again, and only that is run.
runs 1 diff notes.yaml --new-schema new.sql --last-failed --seed 2
out "seed 1"
stored 1

# What one database can't do is said.
runs 2 replay .pgfsm/notes/rule-say-rows-*.trace
err "is what two databases answer differently, and this runs on one"
err "pgfsm replay notes-say-rows.sql"
runs 2 show notes-say-rows
err "is what two databases answer differently"
runs 2 pin notes-say-rows
err "is what two databases answer differently"
err "a pinned example runs on one database"

# A failure of one database stays when two are compared.
sed 's/^  say.*/&\n  fail: {sql: SELECT 1, check: "False"}/' notes.yaml >fails.yaml
runs 1 run fails.yaml --seed 1
runs 1 diff fails.yaml --new-schema new.sql --last-failed
ls .pgfsm/notes/rule-fail-check-*.trace >/dev/null 2>&1 || complain "$said: the failure of one database is gone"

# What differs by nature where a stored difference was is none: it passes, and is removed.
runs 0 diff notes.yaml --schema by_chance.sql --new-schema by_chance.sql --last-failed
stored 0

# A difference that is gone is removed.
runs 1 diff notes.yaml --new-schema new.sql --seed 1
stored 1
runs 0 diff notes.yaml --new-schema old.sql --seed 1 --examples 5
stored 0

# A stored trace that has the migration as a step finds it.
cat >migration.sql <<'END'
CREATE OR REPLACE FUNCTION said(n int) RETURNS text LANGUAGE sql AS $$ SELECT 'said ' || n $$;
ALTER TABLE notes ADD n int NOT NULL;
END
sed "s/^  say.*/  add: {args: {n: \"integers(1, 9)\"}, sql: \"INSERT INTO notes VALUES (:n)\"}/" notes.yaml >add.yaml
runs 1 diff add.yaml --apply migration.sql --seed 3
out "migrate migration.sql"
runs 1 diff add.yaml --apply migration.sql --last-failed
out "migrate migration.sql"

left_nothing
finish
