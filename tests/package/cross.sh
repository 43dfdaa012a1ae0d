#!/bin/sh
# cross.sh TOP MACHINE
#
# Builds for another machine, aarch64 or s390x, whose byte order is the other one, with Debian's cross compiler, in a
# fresh root of Debian 12. Runs there under qemu-user: the unit tests, and a machine and a bug of it against a server of
# this machine. Needs root and debootstrap.
set -eu

top=$1 machine=$2
case $machine in aarch64) arch=arm64 ;; *) arch=$machine ;; esac
skip() {
    echo "SKIPPED: $*"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "needs root"
command -v debootstrap >/dev/null || skip "needs debootstrap"
. "$top/tests/pg/server.sh"
work=$(mktemp -d /var/tmp/pgfsm-cross.XXXXXX)
root=$work/root
finish() {
    server_stop
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive TMPDIR=/tmp "$@"
}
logged() { # COMMAND...: its output only if it fails
    "$@" >"$work/log" 2>&1 || {
        tail -n 60 "$work/log"
        echo "failed: $*"
        exit 1
    }
}

debootstrap --variant=minbase bookworm "$root" >"$work/log" 2>&1 || skip "debootstrap: $(tail -n 1 "$work/log")"
mount --bind /proc "$root/proc"
inside dpkg --add-architecture "$arch"
logged inside apt-get update -q
logged inside apt-get install -q -y --no-install-recommends cmake ninja-build pkg-config qemu-user-static tzdata \
    postgresql-client gcc "gcc-$machine-linux-gnu" libc6-dev "libc6-dev-$arch-cross" libcmocka-dev:"$arch" \
    libgmp-dev:"$arch" libpq-dev:"$arch" libunistring-dev:"$arch" libyaml-dev:"$arch"
mkdir "$root/src"
(cd "$top" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
    tar -x -C "$root/src" --no-same-owner

logged inside env PKG_CONFIG_LIBDIR="/usr/lib/$machine-linux-gnu/pkgconfig:/usr/share/pkgconfig" \
    cmake -G Ninja -S /src -B /build -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$machine" \
    -DCMAKE_C_COMPILER="$machine-linux-gnu-gcc" -DCMAKE_LIBRARY_ARCHITECTURE="$machine-linux-gnu" \
    -DCMAKE_CROSSCOMPILING_EMULATOR="/usr/bin/qemu-$machine-static" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE=-O1 -DPGFSM_WERROR=ON
logged inside ninja -C /build quick_programs pgfsm_cli
# The locale C.UTF-8 is in files whose byte order is the machine's.
# shellcheck disable=SC2016 # for the shell inside
inside sh -c 'cd /opt && apt-get download -q "libc-bin:$1" && dpkg --fsys-tarfile libc-bin_*.deb |
    tar -x ./usr/lib/locale' sh "$arch" >"$work/log" 2>&1
inside env LOCPATH=/opt/usr/lib/locale ctest --test-dir /build -L '^unit$' -j 2 --timeout 1800 --output-on-failure --no-tests=error

server_start tcp
trap finish EXIT # in place of the server's own
for bug in '' '--apply sql/bugs/membership-editor-shadow.sql'; do
    status=0
    # shellcheck disable=SC2086 # words
    inside sh -c "cd /src && exec qemu-$machine-static /build/pgfsm run machines/membership.yaml --seed 1 --no-save $bug \
        -d 'host=127.0.0.1 port=$SERVER_PORT user=postgres password=$SERVER_PASSWORD'" >"$work/log" 2>&1 || status=$?
    [ "$status" = "$([ -z "$bug" ] && echo 0 || echo 1)" ] || {
        cat "$work/log"
        exit 1
    }
done
