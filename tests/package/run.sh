#!/bin/sh
# run.sh BUILD_DIR VERSION CC [CFLAGS]
#
# Installs what was built in BUILD_DIR into a prefix of its own, and builds a program on it in both
# ways that are promised: find_package(pgfsm) and pkg-config.
set -eu

build=$1 version=$2 cc=$3 cflags=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

expect_version() {
    answer=$("$1")
    [ "$answer" = "$version" ] || { echo "$1 says '$answer', not '$version'"; exit 1; }
}

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$cflags" >"$work/configure.log"
cmake --build "$work/build" >"$work/build.log"
expect_version "$work/build/consumer"

pc=$(dirname "$(find "$work/prefix" -name pgfsm.pc)")
# shellcheck disable=SC2046,SC2086 # lists of words
PKG_CONFIG_PATH=$pc "$cc" $cflags -o "$work/consumer" "$here/consumer.c" \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs pgfsm)
expect_version "$work/consumer"
