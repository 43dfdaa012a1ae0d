#!/bin/sh
# release.sh TOP
#
# Makes a release of a tagged clone, twice: both are identical, and the archive builds. The bills of materials fit their
# schema, if npm has it. A wrong tag is reported.
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
{
    printf '%s\n' "libpgfsm$soversion""_${version}_$arch.deb" "libpgfsm-dev_${version}_$arch.deb" "pgfsm-$version.tar.gz" \
        "pgfsm_${version}_$arch.deb" "pgfsm-$version.tgz" \
        "pytest_pgfsm-$version-py3-none-any.whl" SHA256SUMS
    printf "pgfsm-linux-%s-$version.tgz\n" x64 arm64
    printf "pgfsm-$version-linux-%s.tar.gz\npgfsm-$version-linux-%s.cdx.json\n" x86_64 x86_64 aarch64 aarch64
} | sort >"$work/wanted"
(cd two && find . -type f | sed 's|^\./||' | sort) | diff "$work/wanted" - || complain "other files"

# The archive for other systems, unpacked anywhere, has a program that runs, its manual and its licences.
mkdir "$work/unpacked"
tar -xzf "two/pgfsm-$version-linux-$(uname -m).tar.gz" -C "$work/unpacked" --strip-components 1
env -i "$work/unpacked/bin/pgfsm" version | grep -q "^pgfsm $version," || complain "the archive's program does not run"
env -i "$work/unpacked/lib/pgfsm/psql" --version >"$work/out" || complain "the archive's psql does not run"
for file in share/man/man1/pgfsm.1.gz share/bash-completion/completions/pgfsm share/doc/pgfsm/licences/openssl \
    share/doc/pgfsm/licences/LGPL-3 include/pgfsm/run.h lib/libpgfsm.so; do
    [ -e "$work/unpacked/$file" ] || complain "the archive lacks $file"
done

# The wheel is of this version, and pytest finds the plugin in it.
/usr/bin/python3 -m pip install --quiet --no-deps --no-index --no-compile --disable-pip-version-check --target "$work/plugin" \
    "two/pytest_pgfsm-$version-py3-none-any.whl" || complain "the wheel can't be installed"
PYTHONPATH=$work/plugin /usr/bin/python3 -m pytest -VV >"$work/out" 2>&1 || true
grep -q "pytest-pgfsm-$version at" "$work/out" || complain "pytest does not find the plugin: $(cat "$work/out")"

library=@cyclonedx/cyclonedx-library@10.3.0
if (cd "$work" && npm pack --loglevel=error --fetch-retries=0 "$library") >"$work/npm.log" 2>&1; then
    mkdir "$work/schema"
    tar -xzf "$work"/cyclonedx-*.tgz -C "$work/schema" --strip-components 3 package/res/schema
    python3 - "$work/schema" two/*.cdx.json <<'END' || complain "a bill of materials does not fit its schema"
import glob, json, os, sys
from jsonschema import Draft7Validator, RefResolver
read = lambda path: json.load(open(path))
bom = read(sys.argv[1] + "/bom-1.6.SNAPSHOT.schema.json")
others = {os.path.dirname(bom["$id"]) + "/" + os.path.basename(name): read(name)
          for name in glob.glob(sys.argv[1] + "/*.SNAPSHOT.schema.json")}
resolver = RefResolver.from_schema(bom, store=others)
errors = [(path, error.message) for path in sys.argv[2:]
          for error in Draft7Validator(bom, resolver=resolver).iter_errors(read(path))]
print(*errors, sep="\n", end="")
sys.exit(bool(errors))
END
else
    echo "the bills of materials were not checked: $(head -n 1 "$work/npm.log")"
fi
! tar -xzOf "two/pgfsm-$version.tar.gz" "pgfsm-$version/README.md" | grep -q 'not committed' ||
    complain "the archive has what is not committed"

exit "$failed"
