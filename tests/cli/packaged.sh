#!/bin/sh
# A server that is a package of npm: pgfsm makes the links that the package lacks, in a copy that the server's user can
# read. The package here has scripts that check the links and call the installed server.
set -u
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/../pg/server.sh"
common_begin
server_find_bin
trap common_end EXIT
no_database
XDG_CACHE_HOME=$DIR/cache
export XDG_CACHE_HOME
copies=$XDG_CACHE_HOME/pgfsm-servers
mkdir -m 755 "$XDG_CACHE_HOME"

# Nobody else can enter the folder, as with root's home. The times are those that npm gives files.
native=$DIR/closed/linux-x64/native
mkdir -p "$native/bin" "$native/lib" "$native/share"
chmod 700 closed
echo one >"$native/lib/libone.so.1.2"
cat >"$native/pg-symlinks.json" <<END
[{"source":"native/lib/libone.so.1.2","target":"native/lib/libone.so"},{"source":"native/lib/libone.so.1.2","target":"native/lib/libone.so.1"}]
END
for name in postgres initdb; do
    cat >"$native/bin/$name" <<END
#!/bin/sh
[ "\$(cat "\${0%/*}/../lib/libone.so" "\${0%/*}/../lib/libone.so.1")" = "one
one" ] || { echo "no links" >&2; exit 1; }
exec "$SERVER_BIN/$name" "\$@"
END
done
chmod 700 "$native"/bin/*
version() { # VERSION
    echo "{\"version\": \"$1\"}" >"$native/../package.json"
    find closed -exec touch -d 1985-10-26 {} +
}
echo 'CREATE TABLE t (n int);' >t.sql
cat >t.yaml <<END
machine: t
schema: t.sql
rules:
  add: {sql: INSERT INTO t VALUES (1)}
END
unset PGFSM_PG_BINDIR
PGFSM_PACKAGED_SERVER=$native/bin # as the launcher of the npm package sets it
export PGFSM_PACKAGED_SERVER
count() { # of copies
    [ "$(find "$copies" -maxdepth 1 -name 'server-*' | wc -l)" = "$1" ] || complain "$said: not $1 copies: $(ls "$copies")"
}

version 15.1
(umask 077 && runs 0 run t.yaml --examples 2 --no-save --seed 1 && finish) || checks_failed=1
count 1
copy=$(echo "$copies"/server-*)
touch "$copy/kept"
with="PGFSM_PACKAGED_SERVER= PGFSM_PG_BINDIR=$native/bin"
runs 0 run t.yaml --examples 2 --no-save --seed 1
count 1
[ -e "$copy/kept" ] || complain "the server was copied again"
[ -z "$(find closed -type l)" ] || complain "the package was changed"

# Another version has the same sizes and times. A copy that was not used for long is removed.
touch -d '40 days ago' "$copy"
version 15.2
runs 0 run t.yaml --examples 2 --no-save --seed 1
count 1
[ ! -e "$copy" ] || complain "the copy of another version is still there"

# Two runs at once make one copy, whatever a run that was killed has left.
copy=$(echo "$copies"/server-*)
mv "$copy" "$copy.new"
begin run t.yaml --examples 2 --no-save --seed 1
runs 0 run t.yaml --examples 2 --no-save --seed 1
ends 0
count 1
[ -d "$copy" ] || complain "another copy: $(ls "$copies")"

# A folder that others can write to is not used.
chmod 777 "$copies"
version 15.3
runs 3 run t.yaml --examples 2 --no-save
err "$copies is not yours alone"
chmod 755 "$copies"
runs 0 cache clear
[ ! -e "$copies" ] || complain "cache clear left the copies"
left_nothing
finish
