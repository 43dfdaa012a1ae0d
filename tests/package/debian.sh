#!/bin/sh
# debian.sh BUILD_DIR VERSION
#
# Makes Debian packages of the build in BUILD_DIR, and checks their content.
set -eu

build=$1 version=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-debian.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

soversion=${version%.*}
arch=$(dpkg --print-architecture)
cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
cd "$work"
for package in pgfsm "libpgfsm$soversion" libpgfsm-dev; do
    [ -f "${package}_${version}_$arch.deb" ] || complain "no package $package"
done
[ "$failed" = 0 ] || exit 1

depends() { # PACKAGE WORD...
    package=$1
    shift
    field=$(dpkg-deb -f "${package}_${version}_$arch.deb" Depends)
    for word in "$@"; do
        case " $field" in
        *" $word"*) ;;
        *) complain "$package does not depend on $word: $field" ;;
        esac
    done
}
depends pgfsm postgresql-client 'libc6 (>= ' 'libpq5 (>= ' libyaml-0-2 libgmp10 libunistring
depends "libpgfsm$soversion" 'libpq5 (>= ' libyaml-0-2 libgmp10 libunistring
depends libpgfsm-dev "libpgfsm$soversion (= $version)" libpq-dev libyaml-dev libgmp-dev libunistring-dev

# The publisher of the packages sets the maintainer's address. CPack calls ldconfig itself.
lintian --allow-root --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,maintscript-calls-ldconfig \
    ./*.deb >lint 2>&1 || true
[ ! -s lint ] || complain "lintian: $(cat lint)"

# Whatever the umask of who built them was.
for package in ./*.deb; do
    dpkg-deb --ctrl-tarfile "$package" | tar -tv | awk '$NF ~ /\/(symbols|triggers|control|md5sums)$/ && $1 != "-rw-r--r--"' >modes
    [ ! -s modes ] || complain "$package: $(cat modes)"
done

# A program that is built with this version depends on it, or on the earliest version that has all
# functions that it calls.
mkdir -p library/DEBIAN
dpkg-deb -x "libpgfsm${soversion}_${version}_$arch.deb" library
dpkg-deb -I "libpgfsm${soversion}_${version}_$arch.deb" symbols >exported
mkdir debian
printf 'Source: pgfsm\n\nPackage: libpgfsm%s\nArchitecture: any\n' "$soversion" >debian/control
dpkg-gensymbols -q -c4 "-plibpgfsm$soversion" "-v$version" -Plibrary -Iexported -Onew >log 2>&1 || complain "symbols: $(cat log)"

# Installs into an empty root. Its dependencies are not there, so it uses the libraries of this
# machine.
mkdir -p root/var/lib/dpkg/updates root/var/lib/dpkg/info
touch root/var/lib/dpkg/status
dpkg --root="$work/root" --log=/dev/null --force-not-root --force-depends --install "pgfsm_${version}_$arch.deb" \
    >log 2>&1 || complain "dpkg: $(cat log)"
answer=$(root/usr/bin/pgfsm version)
[ "$answer" = "pgfsm $version, for PostgreSQL 14 to 18" ] || complain "the installed program says '$answer'"
root/usr/bin/pgfsm schema | cmp - root/usr/share/pgfsm/machine.schema.json || complain "another JSON Schema"
for file in man/man1/pgfsm.1.gz man/man5/pgfsm-machine.5.gz bash-completion/completions/pgfsm zsh/site-functions/_pgfsm \
    fish/vendor_completions.d/pgfsm.fish doc/pgfsm/copyright doc/pgfsm/TUTORIAL.md; do
    [ -s "root/usr/share/$file" ] || complain "no $file is installed"
done

exit "$failed"
