#!/bin/sh
# libpq.sh MACHINE PREFIX
#
# Runs in the root that ./build makes. Builds libpq, psql and, inside of libpq, OpenSSL from Debian's sources in /src, for
# MACHINE (x86_64 or aarch64), and installs them to PREFIX. libpq has TLS but neither Kerberos nor LDAP, and psql no line
# editor: its licence is not PostgreSQL's.
set -eu

machine=$1 prefix=$2
tools=
[ "$machine" = "$(uname -m)" ] || tools=$machine-linux-gnu-
work=/build/libpq-$machine
rm -rf "$work" "$prefix"
mkdir -p "$work" "$prefix"
cd "$work"
SOURCE_DATE_EPOCH=$(stat -c %Y /src/postgresql-*.dsc)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
for source in openssl postgresql; do
    dpkg-source --no-check -q -x /src/"$source"*.dsc "$source"
done

cd "$work/openssl"
./Configure "linux-$machine" --cross-compile-prefix="$tools" --openssldir=/etc/ssl --prefix="$prefix" --libdir=lib \
    no-shared no-module no-engine no-dso no-tests no-comp no-legacy no-cms no-ts no-srp no-idea no-seed no-camellia \
    no-aria no-bf no-cast no-rc2 no-rc4 no-whirlpool no-sm2 no-sm3 no-sm4 no-ocsp no-ct no-gost -O2
make -s -j "$(nproc)" build_generated libcrypto.a libssl.a

# LD_RUN_PATH, as make would have a go at the $ in a flag.
cd "$work/postgresql"
set --
[ -z "$tools" ] || set -- --host="$machine-linux-gnu"
./configure -q "$@" --prefix="$prefix" --sysconfdir=/etc/postgresql-common --disable-rpath --without-readline \
    --without-zlib --with-openssl CFLAGS=-O2 CPPFLAGS="-I$work/openssl/include" \
    LDFLAGS="-L$work/openssl -Wl,--disable-new-dtags" LIBS='-ldl -lpthread'
make -s -j "$(nproc)" -C src/backend generated-headers
make -s -j "$(nproc)" -C src/interfaces/libpq all SHLIB_LINK='-lssl -lcrypto -ldl -lpthread'
# shellcheck disable=SC2016 # for the loader
LD_RUN_PATH='$ORIGIN' make -s -j "$(nproc)" -C src/bin/psql all
make -s -C src/interfaces/libpq install SHLIB_LINK='-lssl -lcrypto -ldl -lpthread'
make -s -C src/include install
make -s -C src/bin/psql install
rm "$prefix/lib/libpq.a"
sed -i '/^Requires.private\|^Libs.private/d' "$prefix/lib/pkgconfig/libpq.pc"
cp COPYRIGHT "$prefix/LICENSE.postgresql"
cp "$work/openssl/LICENSE.txt" "$prefix/LICENSE.openssl"
rm -rf "$work"
