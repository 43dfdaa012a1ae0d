#!/bin/sh
# run.sh BUILD_DIR VERSION CC
#
# Installs the build in BUILD_DIR into a new prefix, and builds programs with it in all documented ways:
# find_package(pgfsm) and pkg-config, shared and static, in C and C++.
set -eu

build=$1 version=$2 cc=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

expect_version() {
    answer=$("$1")
    [ "$answer" = "$version" ] || { echo "$1 says '$answer', not '$version'"; exit 1; }
}

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

"$work/prefix/bin/pgfsm" schema | cmp - "$work/prefix/share/pgfsm/machine.schema.json"

cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" \
    >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log"
for consumer in consumer consumer_static consumer_cxx; do
    expect_version "$work/build/$consumer"
done

# The example of docs/LIBRARY.md, with CMake here and with pkg-config below. It starts its own
# server.
unset PGHOST PGPORT PGUSER PGDATABASE PGSERVICE DATABASE_URL
example=$here/../../docs/library
cmake -G Ninja -S "$example" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" \
    >"$work/example.log"
cmake --build "$work/example" >>"$work/example.log"
ctest --test-dir "$work/example" >"$work/example.log" || { cat "$work/example.log"; exit 1; }
echo 'ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check' >"$work/bug.sql"
"$work/example/ledger" "$example/ledger.yaml" "$work/bug.sql" >"$work/failed" && { echo "the bug was not found"; exit 1; }
grep -q '1> transfer(payer=0, payee=0, amount=101)' "$work/failed" || { cat "$work/failed"; exit 1; }

# A folder for libraries may be absolute, and a packager need not name a build type.
cmake -G Ninja -S "$here/../.." -B "$work/absolute" -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_INSTALL_LIBDIR=/opt/x/lib \
    -DBUILD_TESTING=OFF >"$work/absolute.log"
# shellcheck disable=SC2016 # the file's own variable
headers=$(sed -n 's|^includedir=${pcfiledir}/||p' "$work/absolute/src/pgfsm.pc")
[ "$(realpath -m "/opt/x/lib/pkgconfig/$headers")" = /usr/local/include ] || { echo "includedir is $headers"; exit 1; }
grep -q '^CMAKE_BUILD_TYPE:STRING=RelWithDebInfo$' "$work/absolute/CMakeCache.txt" ||
    { echo "without a build type, asserts stay"; exit 1; }

pc=$(dirname "$(find "$work/prefix" -name pgfsm.pc)")
PKG_CONFIG_PATH=$pc
LD_LIBRARY_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
# shellcheck disable=SC2046 # lists of words
"$cc" -o "$work/consumer" "$here/consumer.c" $(pkg-config --cflags --libs pgfsm)
expect_version "$work/consumer"
mkdir "$work/archive" # without the shared one beside it
cp "$(dirname "$pc")/libpgfsm.a" "$work/archive"
# shellcheck disable=SC2046
"$cc" -o "$work/consumer_static" "$here/consumer.c" -L"$work/archive" -l:libpgfsm.a \
    $(pkg-config --static --cflags --libs pgfsm)
expect_version "$work/consumer_static"
# shellcheck disable=SC2046
"$cc" -o "$work/ledger" "$example/ledger.c" $(pkg-config --cflags --libs pgfsm)
"$work/ledger" "$example/ledger.yaml" >"$work/passed" || { cat "$work/passed"; exit 1; }
