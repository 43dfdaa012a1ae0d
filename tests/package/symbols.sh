#!/bin/sh
# symbols.sh BUILD_DIR HEADERS SYMBOLS
#
# The shared library and the archive export exactly the functions that the headers declare. SYMBOLS, Debian's list of
# symbols, has the same ones.
set -eu

build=$1 headers=$2 symbols=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-symbols.XXXXXX")
trap 'rm -rf "$work"' EXIT

# A function's name precedes a parenthesis, in a line that starts with its type.
cat "$headers"/*.h | sed -n '/^typedef/d; /^static/d; s/^[a-z][a-z_0-9 ]*[ *]\(pgfsm_[a-z_0-9]*\)(.*/\1/p' | sort >"$work/declared"
[ -s "$work/declared" ] || { echo "no function was found in $headers"; exit 1; }
# Ignores the symbols of the sanitizers and of gcov, and the names of versions.
ours() { sed -n 's/^[0-9a-f]* [A-Z] //p' | grep -vE '^_|^(asan|ubsan|gcov)|^PGFSM_' | sed 's/@@PGFSM_.*//' | sort; }
nm -D --defined-only "$build/src/libpgfsm.so" | ours >"$work/shared"
nm -g --defined-only "$build/src/libpgfsm.a" | ours >"$work/archive"
diff "$work/declared" "$work/shared"
diff "$work/declared" "$work/archive"
# Both say with which version each came.
nm -D --defined-only "$build/src/libpgfsm.so" | sed -n 's/.* [A-Z] \(.*@\)@\(PGFSM_.*\)/\1\2/p' | sort >"$work/versions"
sed -n 's/^ \(pgfsm_.*\) [0-9.]*$/\1/p' "$symbols" | sort | diff "$work/versions" -
sed -n 's/^ \(pgfsm_.*\)@.* [0-9.]*$/\1/p' "$symbols" | sort | diff "$work/declared" -
objdump -p "$build/src/libpgfsm.so" | grep -q 'SONAME *libpgfsm\.so\.[0-9.]*$'
