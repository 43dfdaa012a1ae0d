#!/bin/sh
# Each planted bug shows after the sequence that stands in the head of its file, and the same sequence
# shows nothing without it. Every sequence is played with psql, in a database of its own.
set -eu

sql=$(cd "$(dirname "$0")/../../sql" && pwd)
. "$(dirname "$0")/server.sh"
failed=0

# play DATABASE SCHEMA BUG: what the last line of the script on stdin prints; errors count as output.
# BUG may be empty.
play() {
    createdb "$1"
    psql -qX --set ON_ERROR_STOP=1 --dbname "$1" --file "$sql/$2.sql" \
        ${3:+--file "$sql/bugs/$3.sql"}
    psql -qXAt --dbname "$1" 2>&1 | tail -n 1
}

# shows BUG SCHEMA RIGHT WRONG: the script on stdin prints RIGHT without the bug and WRONG with it.
shows() {
    cat >"$SERVER_DIR/script"
    right=$(play "right $1" "$2" '' <"$SERVER_DIR/script")
    wrong=$(play "wrong $1" "$2" "$1" <"$SERVER_DIR/script")
    if [ "$right" != "$3" ] || [ "$wrong" != "$4" ]; then
        echo "$1: without the bug '$right', not '$3'; with it '$wrong', not '$4'"
        failed=1
    fi
}

# Two users a and b, three projects p, q and r, signed in as a.
# shellcheck disable=SC2016 # $$ and $1 are SQL's
membership_begin='
    BEGIN;
    INSERT INTO users (email) VALUES ($$a$$) RETURNING id AS a \gset
    INSERT INTO users (email) VALUES ($$b$$) RETURNING id AS b \gset
    INSERT INTO projects (name) VALUES ($$p$$) RETURNING id AS p \gset
    INSERT INTO projects (name) VALUES ($$q$$) RETURNING id AS q \gset
    INSERT INTO projects (name) VALUES ($$r$$) RETURNING id AS r \gset
    PREPARE sign_in AS SELECT set_config($$request.jwt.claims$$,
        json_build_object($$sub$$, $1::uuid, $$role$$, $$authenticated$$)::text, true);
    PREPARE upsert_member AS INSERT INTO project_members (user_id, project_id, role)
        VALUES ($1, $2, $3) ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role;
    PREPARE remove_member AS DELETE FROM project_members WHERE user_id = $1 AND project_id = $2;
    SET LOCAL ROLE authenticated;
    \set ON_ERROR_STOP 1
    EXECUTE sign_in(:'"'a'"');'

server_start socket

shows membership-editor-shadow membership 0 1 <<END
$membership_begin
EXECUTE upsert_member(:'a', :'p', 'editor');
EXECUTE upsert_member(:'a', :'p', 'viewer');
SELECT count(*) FROM get_editor_project_ids();
END

shows membership-wrong-row membership 'f,2' 't,2' <<END
$membership_begin
EXECUTE upsert_member(:'a', :'p', 'viewer');
EXECUTE upsert_member(:'a', :'q', 'viewer');
EXECUTE upsert_member(:'a', :'r', 'viewer');
EXECUTE remove_member(:'a', :'p');
SELECT concat_ws(',', bool_or(id = :'p'), count(*)) FROM get_member_project_ids() AS id;
END

shows membership-count-cache membership 1 0 <<END
$membership_begin
EXECUTE upsert_member(:'a', :'p', 'viewer');
EXECUTE remove_member(:'a', :'p');
EXECUTE upsert_member(:'a', :'p', 'viewer');
SELECT count(*) FROM get_member_project_ids();
END

shows membership-stale-user membership 1 \
    'ERROR:  new row violates row-level security policy for table "project_members"' <<END
$membership_begin
EXECUTE upsert_member(:'a', :'p', 'viewer');
EXECUTE upsert_member(:'a', :'p', 'viewer');
EXECUTE sign_in(:'b');
EXECUTE upsert_member(:'b', :'p', 'viewer');
SELECT count(*) FROM get_member_project_ids();
END

shows items-soft-delete items 'ERROR:  P0002' found <<'END'
\set VERBOSITY sqlstate
SELECT create_item('0') AS item \gset
SELECT delete_item(:item);
SELECT 'found' FROM read_item(:item);
END

shows items-reused-id items 'ERROR:  P0002' found <<'END'
\set VERBOSITY sqlstate
SELECT create_item('0') AS item \gset
SELECT delete_item(:item);
SELECT create_item('0');
SELECT 'found' FROM read_item(:item);
END

exit "$failed"
