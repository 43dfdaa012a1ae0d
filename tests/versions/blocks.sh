#!/bin/sh
# blocks.sh KILOBYTES COMMAND [ARGUMENT...]
#
# Runs a test on PostgreSQL with blocks of 4 or 32 kB, where rows and keys of an index may be shorter or longer than with
# the 8 kB that everybody has: sets PGFSM_PG_BINDIR, as on.sh does. Builds it from Debian's source, once, in
# build/versions. If that can't be had, exits with 77, which ctest shows as skipped.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
size=$1
shift
kept=$here/../../build/versions
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)
# The server's user, who is not root, must be able to read it.
programs=$kept/blocks-$size
[ "$(id -u)" != 0 ] || programs=/var/cache/pgfsm-versions/blocks-$size
work=$kept/source

skip() {
    echo "SKIPPED: no PostgreSQL with blocks of $size kB to test on: $*" >&2
    exit 77
}

get_source() {
    [ ! -d "$work/postgresql" ] || return 0
    command -v apt-get >/dev/null || skip "this is not Debian"
    rm -rf "$work"
    mkdir -p "$work/lists/partial"
    . /etc/os-release
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $VERSION_CODENAME main" \
        >"$work/sources.list"
    set -- -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$work/lists" \
        -o "Dir::Cache=$work" -o APT::Sandbox::User=
    { apt-get "$@" update && (cd "$work" && apt-get "$@" source --download-only postgresql-15); } >"$work/apt.log" 2>&1 ||
        skip "its source can't be had (offline?): $(head -n 3 "$work/apt.log")"
    mkdir "$work/new"
    tar -xjf "$work"/postgresql-15_*.orig.tar.bz2 -C "$work/new" --strip-components 1
    mv "$work/new" "$work/postgresql"
}

build() { # in $work
    mkdir -p "$work/$size"
    cd "$work/$size"
    ../postgresql/configure --prefix="$programs" --with-blocksize="$size" --without-readline --without-zlib \
        --with-ssl=openssl CFLAGS=-O1
    make -s -j"$(nproc)" MAKELEVEL=0 install
    make -s -j"$(nproc)" -C contrib MAKELEVEL=1 install
}

exec 9>"$kept/blocks.lock"
flock 9
[ -x "$programs/bin/psql" ] || {
    get_source
    (build) >"$work/build.log" 2>&1 || {
        tail "$work/build.log" >&2
        exit 2
    }
    rm -rf "${work:?}/$size"
}
exec 9>&-
PGFSM_PG_BINDIR=$programs/bin
export PGFSM_PG_BINDIR
unset TEST_CLUSTERS # which knows a server by its version
exec "$@"
