#!/bin/sh
# A schema that exists only as a dump, made as docs/SUPABASE.md describes: the machine of that page passes on it.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
page=$top/docs/SUPABASE.md
. "$(dirname "$0")/server.sh"
server_start socket
major=$(pg_dump --version | sed -E 's/[^0-9]*([0-9]+).*/\1/')
[ "$major" -ge "$SERVER_MAJOR" ] || {
    echo "SKIPPED: pg_dump $major can't dump PostgreSQL $SERVER_MAJOR" >&2
    exit 77
}
cd "$SERVER_DIR"
cp "$top/sql/supabase.sql" .

# block LANGUAGE N: the N-th block of the page in that language.
block() {
    awk -v language="$1" -v wanted="$2" '/^```/ { inside = 0 } inside { print }
        $0 == "```" language { inside = ++seen == wanted }' "$page"
}

block sql 2 >notes.sql
block yaml 1 | sed 's/^schema: .*/schema: [supabase.sql, base.sql]/' >notes.yaml
createdb project
psql -qX -d project --set ON_ERROR_STOP=1 -f supabase.sql -f notes.sql
block sh 2 | grep '^pg_dump ' >dump.sh
DATABASE_URL="host=$PGHOST dbname=project" sh dump.sh
grep -q 'CREATE TABLE public.notes' base.sql
"$PROGRAM" run notes.yaml --embedded --no-save --seed 1 --examples 20
