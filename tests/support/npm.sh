#!/bin/sh
# npm.sh PACKAGE VERSION SUM
#
# Prints the folder with the files of an npm package; SUM is the SHA-512 of its archive. No script of the package runs.
# Packages are kept in build/npm. If the package is not available, exits with 77, which ctest shows as skipped.
set -eu

package=$1 version=$2 sum=$3
kept=$(dirname "$0")/../../build/npm
mkdir -p "$kept"
kept=$(cd "$kept" && pwd)
archive=$kept/$(echo "$package" | tr -d @ | tr / -)-$version.tgz
folder=${archive%.tgz}

exec 9>"$kept/lock"
flock 9
is_right() {
    echo "$sum  $archive" | sha512sum --check --status 2>/dev/null
}
if ! is_right; then
    command -v npm >/dev/null || {
        echo "SKIPPED: npm is not installed" >&2
        exit 77
    }
    (cd "$kept" && npm pack --loglevel=error --fetch-retries=0 --ignore-scripts "$package@$version") \
        >"$kept/npm.log" 2>&1 || {
        echo "SKIPPED: npm can't get $package $version (offline?): $(head -n 3 "$kept/npm.log")" >&2
        exit 77
    }
    rm -rf "$folder"
    is_right || {
        echo "npm.sh: $package $version is not the one that is meant" >&2
        exit 2
    }
fi
if [ ! -d "$folder" ]; then
    mkdir -p "$folder.new"
    tar -xzf "$archive" -C "$folder.new" --strip-components 1 --no-same-owner
    mv "$folder.new" "$folder"
fi
echo "$folder"
