# The root of Debian 11 in which programs for old systems are built. A script sources this file, with $here set to this
# folder, and calls root_need; the root is then in $root.
# shellcheck shell=sh disable=SC2154

machines='x86_64 aarch64'
root=/var/cache/pgfsm-build/$(cat "$here/root.sh" "$here/libpq.sh" | sha256sum | cut -c1-16)

inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

make_root() {
    rm -rf "$root" "$root.new"
    mkdir -p "$root.new"
    debootstrap --variant=minbase bullseye "$root.new"
    echo 'deb-src http://deb.debian.org/debian bookworm main' >>"$root.new/etc/apt/sources.list"
    mv "$root.new" "$root"
    mkdir "$root/build" "$root/src"
    inside dpkg --add-architecture arm64
    inside apt-get update -q
    inside apt-get install -q -y --no-install-recommends dpkg-dev gcc gcc-aarch64-linux-gnu libc6-dev libc6-dev:arm64 \
        libc6-dev-arm64-cross libgmp-dev libgmp-dev:arm64 libunistring-dev libunistring-dev:arm64 libyaml-dev \
        libyaml-dev:arm64 make perl pkg-config
    inside sh -c 'cd /src && apt-get source -q --download-only openssl postgresql-15'
    # Licences of the packages that the server of npm contains.
    # shellcheck disable=SC2016 # for the shell inside
    inside sh -c 'cd /tmp &&
        apt-get download -q libicu67 libossp-uuid16 libssl1.1 libxml2 libxslt1.1 liblzma5 zlib1g &&
        for file in *.deb; do dpkg --fsys-tarfile "$file" | tar -x -C / ./usr/share/doc; done && rm -- *.deb'
    cp "$here/libpq.sh" "$root/src"
    for machine in $machines; do
        inside sh /src/libpq.sh "$machine" "/opt/pgfsm/$machine"
    done
    # A path of this machine is the same one inside.
    mkdir -p "$root/${root%/*}"
    ln -s / "$root/$root"
    touch "$root/ready"
}

root_need() {
    [ -e "$root/ready" ] || make_root
}
