#!/bin/sh
# Scripts of differences: psql runs them on each side, and a diff of the outputs has the difference and nothing else.
# `pgfsm replay` runs them on both.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >notes.yaml <<'END'
machine: notes
schema: old.sql
model: user = 'ann'
contexts:
  ann: {role: diff_reader, settings: {my.user: user}}
rules:
  add:
    args: {n: "integers(1, 9)", at: 'datetimes("2020-01-01", "2020-02-01")'}
    as: ann
    sql: INSERT INTO notes (owner, n, at) VALUES ('ann', :n, :at) RETURNING id
    target: notes
  mark: {args: {note: notes, n: "integers(1, 9)"}, as: ann, sql: "SELECT * FROM mark(:note, :n)"}
  look: {args: {note: notes}, as: ann, sql: "SELECT id, code, n, made_at + interval '1 day' AS due FROM notes WHERE id = :note"}
  all: {as: ann, sql: "SELECT n, id FROM notes"}
END
cat >old.sql <<'END_SQL'
DO $$ BEGIN CREATE ROLE diff_reader; EXCEPTION WHEN duplicate_object THEN END $$;
CREATE TABLE notes (
    number serial, id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner text, n int, at timestamptz,
    code text DEFAULT md5(random()::text), made_at timestamptz DEFAULT now()
);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON notes USING (owner = current_setting('my.user', true));
GRANT ALL ON notes TO diff_reader;
GRANT USAGE ON SEQUENCE notes_number_seq TO diff_reader;
CREATE FUNCTION mark(note uuid, step int) RETURNS SETOF notes LANGUAGE plpgsql AS $$
BEGIN
    IF step = 7 THEN RAISE 'no seven for %', note USING ERRCODE = 'P0007'; END IF;
    RETURN QUERY UPDATE notes SET n = n + step WHERE id = note RETURNING *;
END $$;
END_SQL

# psql on each side; standard input has what a diff of the outputs should print.
both() { # SCRIPT
    script=$1
    for side in before after; do
        createdb $side
        set -- -X -d $side
        [ $side = before ] || set -- "$@" -v after=1
        psql "$@" -f "$script" >$side.txt 2>$side.err
        [ "$(psql -XAtd $side -c "SELECT count(*) FROM pg_class WHERE relname = 'notes'")" = 0 ] ||
            complain "$script left something on the side $side"
        dropdb $side
    done
    # shellcheck disable=SC2319 # the status of diff
    diff before.txt after.txt >differs.txt
    cat >wanted.txt
    cmp -s wanted.txt differs.txt || {
        complain "$script: both outputs differ otherwise:"
        cat differs.txt before.err after.err
    }
}

differs() { # SCRIPT
    script=$1
    shift
    rm -rf counterexamples .pgfsm
    runs 1 diff notes.yaml --max-failures 1 "$@"
    [ -f "$script" ] || complain "$said: wrote no $script"
}

# Rows: what the server made has names, and times are told from the transaction's.
sed 's/n = n + step WHERE/n = n + step + (step > 5)::int WHERE/' old.sql >new.sql
differs counterexamples/notes-mark-rows.sql --new-schema new.sql --seed 1
both counterexamples/notes-mark-rows.sql <<'END'
5c5
<     {"n": 7, "at": "2020-01-01T00:00:00+00:00", "id": "notes_1", "code": "code_1", "owner": "ann", "number": 619485, "made_at": "now"}
---
>     {"n": 8, "at": "2020-01-01T00:00:00+00:00", "id": "notes_1", "code": "code_1", "owner": "ann", "number": 619485, "made_at": "now"}
END
runs 1 replay counterexamples/notes-mark-rows.sql
out "not ok 1 - notes: rule mark: rows: both sides still differ"
out '# -     {"n": 7,'
out '# +     {"n": 8,'
cp old.sql new.sql
runs 0 replay counterexamples/notes-mark-rows.sql
out "ok 1 - notes: rule mark: rows: both sides agree now"
echo 'SELECT nothing;' >new.sql
runs 2 replay counterexamples/notes-mark-rows.sql
out "Bail out!"
err 'column "nothing" does not exist'

# An error on one side, with a value in it that the server made; the step is undone.
sed '/no seven/d' old.sql >new.sql
differs counterexamples/notes-mark-error.sql --new-schema new.sql --seed 1
both counterexamples/notes-mark-error.sql <<'END'
5c5
<     error P0007: no seven for notes_1
---
>     {"n": 8, "at": "2020-01-01T00:00:00+00:00", "id": "notes_1", "code": "code_1", "owner": "ann", "number": 619485, "made_at": "now"}
END
runs 1 replay counterexamples/notes-mark-error.sql

# A migration between two steps; uuids without a name have numbers.
echo 'UPDATE notes SET n = n + 1 WHERE n > 4;' >migration.sql
differs counterexamples/notes-all-rows.sql --apply migration.sql --seed 1
both counterexamples/notes-all-rows.sql <<'END'
7c7
<     {"n": 5, "id": "uuid_1"}
---
>     {"n": 6, "id": "uuid_1"}
END

# One that fails on the rows that are there.
echo 'ALTER TABLE notes ADD CHECK (n < 5);' >migration.sql
differs counterexamples/notes-migrate-migrate-23514-notes_n_check-notes.sql --apply migration.sql --seed 1 --max-failures 3
both counterexamples/notes-migrate-migrate-23514-notes_n_check-notes.sql <<'END'
5d4
<     it has run, where there is one
END
runs 1 replay counterexamples/notes-migrate-migrate-23514-notes_n_check-notes.sql
out "# +     it stops: ERROR:  check constraint"

# By night: a migration that commits, and steps that are committed.
more() {
# A migration that commits: the script commits its steps, too.
printf 'BEGIN;\nUPDATE notes SET n = n + 1 WHERE n > 4;\nCOMMIT;\n' >migration.sql
differs counterexamples/notes-all-rows.sql --apply migration.sql --seed 1
grep -q "and commits what it does" counterexamples/notes-all-rows.sql || complain "the script does not say that it commits"
runs 1 replay counterexamples/notes-all-rows.sql
out '# -     {"n": 5, "id": "uuid_1"}'
out '# +     {"n": 6, "id": "uuid_1"}'

# Where steps are committed there are no savepoints to shrink with, and the script commits, too.
sed 's/n = n + step WHERE/n = n + step + (step > 5)::int WHERE/' old.sql >new.sql
differs counterexamples/notes-mark-rows.sql --new-schema new.sql --seed 1 --commit
runs 1 replay counterexamples/notes-mark-rows.sql
out '# -     {"n": '

}
[ -z "$TEST_ALL" ] || more

# The state, as whoever sees it. In the script, the context has the setting of the steps.
sed -i '/^  mark:/,$d; s/ RETURNING id$//; /target: notes/d' notes.yaml
sed "s/USING (owner = .*/FOR SELECT USING (owner = current_setting('my.user', true) AND n < 5);\\
CREATE POLICY anyone ON notes FOR INSERT WITH CHECK (true);/" old.sql >new.sql
script=counterexamples/notes-table-public-notes-as-diff_reader-rows.sql
differs "$script" --new-schema new.sql --seed 1
both "$script" <<'END'
5c5
<     {"n": 5, "at": "2020-01-01T00:00:00+00:00", "id": "uuid_1", "code": "code_1", "owner": "ann", "number": 619485, "made_at": "now"}
---
>     no rows
END

# A column that only the new schema has is no difference, so it is none in the lines either.
echo "CREATE FUNCTION seen() RETURNS TABLE (id int, n int) LANGUAGE sql AS 'SELECT 1, 2'" >narrow.sql
echo "CREATE FUNCTION seen() RETURNS TABLE (extra int, n int, id int) LANGUAGE sql AS 'SELECT 0, 3, 1'" >wide.sql
printf 'machine: more\nrules: {look: {sql: SELECT * FROM seen()}}\n' >more.yaml
runs 1 diff more.yaml --schema narrow.sql --new-schema wide.sql --seed 1 --examples 3 --out more
runs 1 replay more/more-look-rows.sql
out '# -     {"n": 2, "id": 1}'
out '# +     {"n": 3, "id": 1}'

left_nothing
finish
