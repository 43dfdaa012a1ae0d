#!/bin/sh
# circles_test.sh CC: tests circles.sh on files that it compiles.
set -eu

cc=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-circles.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
: >objects

# A file whose function calls others'.
file() { # MODULE/NAME [FUNCTION...]
    path=x.dir/$1.c.o
    name=${1##*/}
    shift
    mkdir -p "${path%/*}"
    {
        for called; do echo "void $called(void);"; done
        echo "void $name(void);"
        echo "void $name(void) {"
        for called; do echo "$called();"; done
        echo "}"
    } >"$name.c"
    "$cc" -c -o "$path" "$name.c"
    echo "$path" >>objects
}

# says TEXT FILE...: circles.sh prints TEXT if its table contains the circle of these files. If TEXT is empty, it prints
# nothing.
says() {
    expected=$1
    wanted=${1:+1} # the status, "" for 0
    shift
    {
        printf '| circle | why |\n| --- | --- |\n|'
        printf ' \140src/%s.c\140' "$@"
        echo ' | reason |'
    } >table.md
    status=0
    said=$(sh "$here/circles.sh" table.md objects) || status=$?
    if [ "$said" != "$expected" ] || [ "$status" != "${wanted:-0}" ]; then
        echo "with '$*': status $status, '$said', not '$expected'"
        exit 1
    fi
}

file one/top middle
file one/sub/middle bottom
file one/bottom
file two/there back # a circle through another module would break the layers
file three/back there
file four/a b
file four/b c
file four/c a
says "" four/a four/b four/c
says "table.md: one/top is in no circle" four/a four/b four/c one/top
says "table.md: there is no file one/gone" four/a four/b four/c one/gone
sh "$here/circles.sh" table.md objects >/dev/null && exit 1
: >table.md
sh "$here/circles.sh" table.md objects | grep -q '^files that call each other:.* four/b' || {
    echo "a circle of three was not found"
    exit 1
}
