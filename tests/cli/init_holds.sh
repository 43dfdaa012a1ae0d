#!/bin/sh
# init_holds.sh SCHEMA
#
# The machine that `pgfsm init` makes of init/holds/SCHEMA.sql loads, and passes with a seed that init did not try. A
# line `-- says: TEXT` in the schema names a part of what init prints on its standard error; without one, init prints
# nothing there. A line `-- needs: PostgreSQL 18` skips the schema on an earlier version. With a line `-- strict`, every
# rule runs; with a line `-- lacks: TEXT`, the machine must not contain the text. The short form that init prints
# expands to the output of --full: by day in the schema `names`, by night ($PGFSM_TEST_ALL) in all, as init tries a
# machine twice for that.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
schema=$1
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

needed=$(sed -n 's/^-- needs: PostgreSQL //p' "$here/init/holds/$schema.sql")
[ "${needed:-0}" -le "$SERVER_MAJOR" ] || exit 77
cp "$here/init/holds/$schema.sql" .
runs 0 init --schema "$schema.sql" -o made.yaml
sed -n 's/^-- says: //p' "$schema.sql" >said
while read -r text; do
    err "$text"
done <said
[ -s said ] || [ ! -s err ] || complain "$said: it says: $(cat err)"
sed -n 's/^-- lacks: //p' "$schema.sql" >lacking
while read -r text; do
    ! grep -q -e "$text" made.yaml || complain "$text: it is in the machine"
done <lacking
# init tries the first seeds itself.
strict=$(grep -qx -e '-- strict' "$schema.sql" && echo --strict)
# shellcheck disable=SC2086
runs 0 run made.yaml --no-save --examples 15 --seed 4 $strict
grep -q '^tables:' made.yaml || complain 'init did not print the short form'
[ -n "$TEST_ALL" ] || [ "$schema" = names ] || finish
runs 0 init --schema "$schema.sql" --full -o full.yaml
runs 0 expand made.yaml
plain() { sed '/^ *#/d; /^machine: /d' "$1" | sort; }
plain out >expanded
plain full.yaml | diff expanded - >differ || complain "the short form stands for something else: $(head -n 5 differ)"
finish
