#!/bin/sh
# SQL is split into statements as psql splits it. $SPLIT prints the statements. Left out: a string that
# goes on in the next line, since psql reads line by line and takes it for two.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/server.sh"

server_start socket
"$SPLIT" <"$here/split.sql" >"$SERVER_DIR/ours"
# many of them fail, which does not matter: psql prints the statements that it sends
psql -qX --echo-queries --output /dev/null --file "$here/split.sql" >"$SERVER_DIR/theirs" 2>/dev/null
diff "$SERVER_DIR/theirs" "$SERVER_DIR/ours"
