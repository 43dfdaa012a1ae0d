#!/bin/sh
# Tests that portable.sh finds each kind of what only Linux has, and only that.
set -eu

portable=$(cd "$(dirname "$0")" && pwd)/portable.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-portable.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/base" "$work/cli" "$work/os" "$work/pg/server"
# finds TEXT|NOTHING LINE
finds() {
    printf '%s\n' "$2" >"$work/cli/a.c"
    status=0
    sh "$portable" "$work" >"$work/out" || status=$?
    wanted=0
    if [ "$1" != NOTHING ]; then
        wanted=1
        grep -qF "$1" "$work/out" || status=none
    fi
    [ "$status" = "$wanted" ] || {
        echo "$2: $status, not $wanted: $(cat "$work/out")"
        exit 1
    }
}
printf '#ifdef __linux__\n#include <sys/xattr.h>\n#endif\n' >"$work/base/file.c"
echo 'int fd = inotify_init1(0);' | tee "$work/os/a.c" >"$work/pg/server/b.c"

finds NOTHING 'poll(fds, 1, 0); /* getrandom(2) */'
finds NOTHING '#include <sys/stat.h>'
finds NOTHING 'my_memrchr(text); f(PR1);'
finds cli/a.c:1: '#  include <sys/inotify.h>'
finds cli/a.c:1: '#include <linux/magic.h>'
finds cli/a.c:1: '    at = memrchr(text, 0, size);'
finds cli/a.c:1: 'x = getrandom(0, 8, 0);'
finds cli/a.c:1: 'fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);'
finds cli/a.c:1: 'open("/proc/self/exe", O_RDONLY);'
echo '#include <sys/xattr.h>' >"$work/base/file.c"
finds 'base/file.c: has nothing' ''
echo 'int a;' >"$work/base/file.c"
finds 'base/file.c: has nothing' ''
