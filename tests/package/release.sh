#!/bin/sh
# release.sh TOP
#
# Makes a release of a tagged clone, twice: both are identical, and the archive builds. A wrong tag is reported.
set -eu

work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-release.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

git clone -q --no-hardlinks "$1" "$work/clone"
cd "$work/clone"
# Includes uncommitted changes, so that a developer can test them.
(cd "$1" && git diff --binary HEAD) >"$work/diff"
[ ! -s "$work/diff" ] || git apply "$work/diff"
version=$(sed -n 's/^  VERSION \(.*\)/\1/p' CMakeLists.txt)
commit() { git -c user.name=test -c user.email=test@localhost commit -qam "$1"; }
refuses() { # WORDS MESSAGE
    # shellcheck disable=SC2086 # words
    ! ci/release $1 >"$work/out" 2>&1 || complain "release $1 was made"
    grep -qF -e "$2" "$work/out" || complain "release $1 says: $(cat "$work/out")"
}

refuses "v$version" "there is no tag"
sed -i "s/^## $version .*/## $version (unreleased)/" CHANGELOG.md
commit 'Not dated' >/dev/null || true
git tag "v$version"
refuses "v$version" "CHANGELOG.md has no date"
sed -i "s/^## $version .*/## $version (2026-01-31)/" CHANGELOG.md
commit 'Dated'
git tag v99.0.0
refuses v99.0.0 "another version"
git tag -f "v$version" >/dev/null

echo 'not committed' >README.md
for out in "$work/one" two; do
    [ "$out" != two ] || git config tar.umask 0077 # a setting of the user's
    ci/release "v$version" "$out" >"$work/sums" 2>"$work/log" || {
        tail -n 40 "$work/log"
        exit 1
    }
done
refuses "v$version two" "two exists"
diff -r "$work/one" two || complain "the second release differs from the first"
(cd two && sha256sum --check --quiet SHA256SUMS)
soversion=${version%.*}
arch=$(dpkg --print-architecture)
printf '%s\n' "libpgfsm$soversion""_${version}_$arch.deb" "libpgfsm-dev_${version}_$arch.deb" "pgfsm-$version.tar.gz" \
    "pgfsm_${version}_$arch.deb" SHA256SUMS | sort >"$work/wanted"
(cd two && find . -type f | sed 's|^\./||' | sort) | diff "$work/wanted" - || complain "other files"
! tar -xzOf "two/pgfsm-$version.tar.gz" "pgfsm-$version/README.md" | grep -q 'not committed' ||
    complain "the archive has what is not committed"

exit "$failed"
