#!/bin/sh
# Files that other users put into shared folders neither block a run nor are changed by it: old run directories in
# $TMPDIR, the cache, files next to those that are written. As root, the test creates files of other users. Without
# root, it can only use its own.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
real=$PROGRAM
PROGRAM=$DIR/within_a_minute
printf '#!/bin/sh\nexec timeout -k 5 60 "%s" "$@"\n' "$real" >"$PROGRAM"
chmod +x "$PROGRAM"

echo 'CREATE TABLE t (n int);' >t.sql
cat >t.yaml <<'END2'
machine: t
schema: t.sql
settings: {examples: 3, steps: 3}
rules:
  planted: {sql: "SELECT current_setting('planted.here', true) IS NULL", expect: "True"}
END2

is_there() { [ -e "$1" ] || [ -h "$1" ] || complain "$said: $1 is gone"; }
is_gone() { [ ! -e "$1" ] || complain "$said: $1 is still there"; }

# Directories that our own runs left: removed with any content.
left=$TMPDIR/pgfsm-run.left
mkdir -p "$left/data" "$TMPDIR/pgfsm-run.pipes" "$TMPDIR/pgfsm-run.none"
touch "$left/lock" "$left/data/postgresql.conf"
mkfifo "$left/data/postmaster.pid" "$TMPDIR/pgfsm-run.pipes/lock"
ln -s /dev/zero "$left/data/zero"
# Files that only have such a name.
mkdir -p victim
echo precious >victim/lock
echo precious >file
ln -s "$DIR/victim" "$TMPDIR/pgfsm-run.symlink"
mkdir "$TMPDIR/pgfsm-run.elsewhere" "$TMPDIR/pgfsm-run.hard"
ln -s "$DIR/file" "$TMPDIR/pgfsm-run.elsewhere/lock"
ln "$DIR/file" "$TMPDIR/pgfsm-run.hard/lock"
mkfifo "$TMPDIR/pgfsm-run.fifo"
touch "$TMPDIR/pgfsm-run.file"
if [ "$(id -u)" = 0 ]; then
    mkdir "$TMPDIR/pgfsm-run.theirs" "$TMPDIR/pgfsm-run.given"
    touch "$TMPDIR/pgfsm-run.theirs/lock" "$TMPDIR/pgfsm-run.given/lock"
    chown -R daemon "$TMPDIR/pgfsm-run.theirs"
    chown daemon "$TMPDIR/pgfsm-run.given" # what lies in it is root's
fi
runs 0 run t.yaml
is_gone "$left"
for name in pipes none symlink elsewhere hard fifo file; do
    is_there "$TMPDIR/pgfsm-run.$name"
done
[ "$(cat victim/lock file)" = "precious
precious" ] || complain "$said: a file elsewhere was changed"
if [ "$(id -u)" = 0 ]; then
    is_there "$TMPDIR/pgfsm-run.theirs/lock"
    is_there "$TMPDIR/pgfsm-run.given/lock"
fi
rm -rf "$TMPDIR"/pgfsm-run.*

# The cache: a server is started only from an entry that we own and that no other user can write to. Any other entry is
# not used, and a new one replaces it. A machine without a schema has an entry, too.
sed -i '/^schema/d' t.yaml
XDG_CACHE_HOME=$DIR/cache
export XDG_CACHE_HOME
runs 0 run t.yaml
entry=$(echo "$XDG_CACHE_HOME"/pgfsm/data-*)
# used, unused: check that the run kept or replaced the entry.
note() { before=$(stat -c %i "$entry"); }
used() { [ "$(stat -c %i "$entry")" = "$before" ] || complain "$said: the entry was not used"; }
unused() { [ "$(stat -c '%i %F' "$entry")" != "$before regular file" ] || complain "$said: the entry was used"; }
note
runs 0 run t.yaml
used
chmod g+w "$entry"
runs 0 run t.yaml
unused
mv "$entry" "$DIR/entry"
ln -s "$DIR/entry" "$entry"
runs 0 run t.yaml
[ ! -L "$entry" ] || complain "$said: the link was followed"
note
runs 0 run t.yaml
used
chmod o+w "$XDG_CACHE_HOME/pgfsm"
accessed=$(stat -c %x "$entry")
runs 0 run t.yaml
[ "$(stat -c %x "$entry")" = "$accessed" ] || complain "$said: the entry was used"
chmod o-w "$XDG_CACHE_HOME/pgfsm"
if [ "$(id -u)" = 0 ]; then
    chown daemon "$entry"
    runs 0 run t.yaml
    unused
    note
    chown daemon "$XDG_CACHE_HOME/pgfsm"
    accessed=$(stat -c %x "$entry")
    runs 0 run t.yaml
    [ "$(stat -c %x "$entry")" = "$accessed" ] || complain "$said: the entry was used"
    used
    chown root "$XDG_CACHE_HOME/pgfsm"
fi
rm "$entry"
mkfifo "$entry" # nobody waits for its other end
runs 0 run t.yaml
[ -f "$entry" ] || complain "$said: the pipe was not replaced"
left_nothing

# Failing traces: pipes and devices among them are named, and don't block the run.
sed 's/IS NULL/IS NOT NULL/' t.yaml >wrong.yaml
runs 1 run wrong.yaml
mkfifo .pgfsm/t/pipe.trace
ln -s /dev/zero .pgfsm/t/zero.trace
mkdir .pgfsm/t/folder.trace
runs 1 run wrong.yaml
left_nothing
finish
