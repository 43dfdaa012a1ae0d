#!/bin/sh
# init_free.sh [SCHEMA...]
#
# `pgfsm init --free`. The machine of init/free/all.sql is all.yaml beside it; it loads and passes, and each call
# succeeds at least once. With SCHEMAs: theirs loads and passes, too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# Prints the rules whose names match and whose every step raised an error, from the output of --stats.
never() {
    awk -v pattern="$1" '
    $1 == "rule" && $2 == "chosen" { stats = 1; next }
    NF == 0 { stats = 0 }
    stats && $1 ~ pattern {
        raised = 0
        for (i = 4; i <= NF && $i !~ /^(an?|precondition|where)$/; i++) if ($i ~ /^\([0-9]+\)/) raised += substr($i, 2) + 0
        if ($3 <= raised) print $1
    }' out
}

for schema; do
    name=$(basename "$schema" .sql)
    cp "$schema" "$name.sql"
    runs 0 init --free --schema "$name.sql" -o "$name.yaml"
    runs 0 run "$name.yaml" --no-save --examples 5 --seed 1
    rm "$name.sql" "$name.yaml" # others have the same name
done
[ $# -eq 0 ] || finish

cp "$here/init/free/all.sql" .
runs 0 init --free --schema all.sql -o all.yaml
diff "$here/init/free/all.yaml" all.yaml >differ || complain "the machine of all.sql differs: $(head -n 20 differ)"
[ ! -s err ] || complain "$said: it says: $(cat err)"
runs 0 check all.yaml
runs 0 run all.yaml --no-save --examples 100 --seed 1 --stats
lost=$(never '^(call|insert|update|delete|list|read)_')
[ -z "$lost" ] || complain "these never succeed:" "$lost"
out_lacks 'changes nothing and compares nothing'

# A database that was named: it stays as it is, and the machine names no files.
psql -qX -v ON_ERROR_STOP=1 -d postgres -f all.sql || complain 'all.sql is not loaded'
contents() { pg_dump -d postgres | grep -v -e restrict -e 'pg_catalog.setval'; } # no rollback resets a sequence
contents >before
runs 0 init --free -d postgres -o named.yaml
grep -v '^schema: ' all.yaml | sed 's/^machine: all/machine: named/' | diff - named.yaml >differ ||
    complain "of a named database: $(head -n 20 differ)"
runs 0 run named.yaml -d postgres --no-save --examples 5 --seed 1
contents | diff before - >differ || complain "the database changed: $(head -n 5 differ)"

# Some of its tables; a schema without any.
runs 0 init --free -d postgres --table lines
out 'insert_lines:'
out_lacks 'insert_seeds:'
out_lacks 'call_mark'
echo 'CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql AS $$ SELECT 2 * n $$;' >twice.sql
runs 0 init --free --schema twice.sql -o twice.yaml
runs 0 run twice.yaml --no-save --examples 2 --seed 1
# Operators that the search_path leads to first: pg_get_viewdef() would call them.
cat >first.sql <<'END'
CREATE FUNCTION fails(oid, oid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not for pgfsm'; END $$;
CREATE TABLE t (id int PRIMARY KEY);
CREATE VIEW v AS SELECT id FROM t;
CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = oid, FUNCTION = fails);
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$;
END
runs 0 init --free --schema first.sql
# Only a COMMIT notifies, and nothing is committed to a database that was named.
cat >told.sql <<'END_SQL'
CREATE FUNCTION told() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    NOTIFY "It's"; PERFORM pg_notify('t_changed', 'x');
    NOTIFY Folded, 'y';
    RAISE NOTICE 'we notify nobody';
END $$;
END_SQL
runs 0 init --free --schema told.sql
out 'listen: ["It'"'"'s", "folded", "t_changed"]'
out 'transactions: commit'
psql -qX -v ON_ERROR_STOP=1 -d postgres -f told.sql
runs 0 init --free -d postgres
out_lacks 'listen:'
runs 2 init --free -d postgres --table nowhere
err "there is no table 'nowhere'"
# The server already refuses some statements when it prepares them: here, an id that a view shows is always generated.
cat >hidden.sql <<'SQL'
CREATE TABLE note_rows (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text, gone boolean NOT NULL DEFAULT false);
CREATE VIEW notes AS SELECT id, text FROM note_rows WHERE NOT gone;
CREATE FUNCTION hide_note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE note_rows SET gone = true WHERE id = OLD.id;
    RETURN OLD;
END $$;
CREATE TRIGGER hide_note INSTEAD OF DELETE ON notes FOR EACH ROW EXECUTE FUNCTION hide_note();
SQL
runs 0 init --free --schema hidden.sql -o hidden.yaml
runs 0 run hidden.yaml --no-save --examples 20 --seed 1 --stats
[ "$(never '^(insert_by_default_notes|delete_notes)$')" = "" ] || complain "$said: notes are never written"
# A name that is not there stays a mistake.
sed 's/FROM notes AS t/FROM notez AS t/' hidden.yaml >wrong.yaml
runs 2 check wrong.yaml
err 'relation "notez" does not exist'

finish
