#!/bin/sh
# Tests that layers.sh finds each kind of violation, and none in a tree that follows the table.
set -eu

layers=$(cd "$(dirname "$0")" && pwd)/layers.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-layers.XXXXXX")
trap 'rm -rf "$work"' EXIT

cat >"$work/table.md" <<'END'
| module | may include | libraries |
| --- | --- | --- |
| `low` | – | |
| `mid` | low | `<yaml.h>` |
| `top` | low mid | `<pgfsm/>` |

| module | may include | libraries |
END

start_over() {
    rm -rf "$work/src"
    mkdir -p "$work/src/low" "$work/src/mid" "$work/src/top"
    printf '#include <stdio.h>\n#include "low/a.h"\n' >"$work/src/low/a.c"
    printf '#include <yaml.h>\n  #  include "low/a.h" // x/y\n' >"$work/src/mid/b.h"
    printf '#include <pgfsm/run.h>\n#include "mid/b.h"\n' >"$work/src/top/c.c"
}

expect_none() {
    if ! sh "$layers" "$work/table.md" "$work/src" >"$work/out"; then
        echo "a clean tree is refused:"
        cat "$work/out"
        exit 1
    fi
}

# expect MESSAGE: the check fails and prints only MESSAGE.
expect() {
    if sh "$layers" "$work/table.md" "$work/src" >"$work/out"; then
        echo "not found: $1"
        exit 1
    fi
    printf '%s\n' "$1" | sed "s#SRC#$work/src#g; s#TABLE#$work/table.md#g" >"$work/wanted"
    diff -u "$work/wanted" "$work/out"
    start_over
}

start_over
expect_none

echo '#include "mid/b.h"' >>"$work/src/low/a.c"
expect 'SRC/low/a.c:3: low may not include "mid/b.h"'

echo '#include <yaml.h>' >>"$work/src/top/c.c"
expect 'SRC/top/c.c:3: top may not include <yaml.h>'

echo '#include <pgfsm/run.h>' >>"$work/src/mid/b.h"
expect 'SRC/mid/b.h:3: mid may not include <pgfsm/>'

echo '#include "a.h"' >>"$work/src/low/a.c"
expect 'SRC/low/a.c:3: write "module/a.h"'

mkdir "$work/src/extra"
expect 'TABLE: no row for the module extra'

rm -r "$work/src/top"
expect 'TABLE: a row for top, which is no folder of SRC/'

rm "$work"/src/*/*.[ch]
expect 'SRC/: no #include was found there'
