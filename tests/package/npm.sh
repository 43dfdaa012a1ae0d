#!/bin/sh
# npm.sh TOP [FOLDER]
#
# Does what a new user does who has Node alone: in fresh roots of Debian 11, 12 and 13, from a registry that has our
# packages (registry.mjs), with npm, pnpm and Yarn, as root and as a user, without PostgreSQL and without a compiler.
# FOLDER has the packages of a release; without it they are built. Prints what was tried, in seconds and megabytes; on a
# machine with other work, only the megabytes are checked. Needs root, debootstrap and npm.
set -eu

top=$1
failed=0
complain() {
    echo "FAILED: $*"
    failed=1
}
skip() {
    echo "SKIPPED: $*"
    exit 77
}
[ "$(id -u)" = 0 ] || skip "needs root"
for program in debootstrap npm node; do
    command -v "$program" >/dev/null || skip "needs $program"
done
work=$(mktemp -d /var/tmp/pgfsm-npm.XXXXXX)
registry=
trap '[ -z "$registry" ] || kill "$registry"; rm -rf "$work"' EXIT
chmod 755 "$work"

packages=${2:-}
if [ -z "$packages" ]; then
    packages=$work/packages
    mkdir "$work/source" "$packages"
    (cd "$top" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
        tar -x -C "$work/source" --no-same-owner
    SOURCE_DATE_EPOCH=1 "$top/ci/packaging/portable/make" "$work/source" 0.1.0 "$packages" >"$work/log" 2>&1 || {
        tail -n 40 "$work/log"
        exit 1
    }
fi

# What the packages hold: little, and nothing that looks for libraries in other folders or needs a newer glibc.
for file in "$packages"/*.tgz; do
    size=$(stat -c %s "$file")
    [ "$size" -lt 8000000 ] || complain "$file has $size bytes"
    mkdir "$work/unpacked"
    tar -xzf "$file" -C "$work/unpacked"
    find "$work/unpacked" -type f | while read -r path; do
        objdump -p "$path" >"$work/objdump" 2>/dev/null || continue
        newest=$(sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' "$work/objdump" | sort -V | tail -n 1)
        [ "$(printf '%s\n' "$newest" 2.29 | sort -V | tail -n 1)" = 2.29 ] || echo "$path needs glibc $newest"
        ! grep -q RUNPATH "$work/objdump" || echo "$path has a RUNPATH"
        # shellcheck disable=SC2016 # for the loader
        sed -n 's/^ *RPATH *//p' "$work/objdump" | grep -vxF -e '$ORIGIN' -e '$ORIGIN/../lib/pgfsm' | sed "s|^|$path: RPATH |"
    done >"$work/wrong"
    [ ! -s "$work/wrong" ] || complain "$(cat "$work/wrong")"
    rm -r "$work/unpacked"
done

. "$top/tests/package/node_root.sh"

# tries NAME USER COMMAND: in a new project. The machine that it writes must hold.
tries() {
    case $2 in root) home=/root ;; *) home=/home/$2 ;; esac
    folder=$home/$(echo "$1" | tr -c 'a-z0-9\n' -)
    rm -rf "$root/${home:?}"/* "$root/$home"/.[a-z]* "$root/var/cache/pgfsm-servers"
    mkdir "$root$folder"
    cat >"$root$folder/stock.sql" <<'END'
CREATE TABLE stock (item text PRIMARY KEY, quantity integer NOT NULL CHECK (quantity >= 0));
COPY stock FROM STDIN;
nut	1
\.
END
    echo '{"name": "app", "private": true}' >"$root$folder/package.json"
    printf '%s\n' "npmRegistryServer: $address" 'unsafeHttpWhitelist: [127.0.0.1]' 'enableTelemetry: false' \
        "nodeLinker: ${linker:-node-modules}" >"$root$folder/.yarnrc.yml"
    touch "$root$folder/yarn.lock"
    chroot "$root" chown -R "$2:" "$folder"
    sent=$(wc -l <"$work/sent")
    began=$(date +%s.%N)
    inside "$2" "$folder" "$3" >"$work/out" 2>&1 </dev/null || {
        complain "$1, as $2: $3"
        tail -n 20 "$work/out"
    }
    ended=$(date +%s.%N)
    [ -s "$root$folder/first.yaml" ] || complain "$1, as $2: no machine"
    bytes=$(tail -n "+$((sent + 1))" "$work/sent" | awk '{ sum += $1 } END { print sum + 0 }')
    [ "$bytes" -lt "${most:-40000000}" ] || complain "$1: $bytes bytes were downloaded"
    echo "$suite $1 $2 $began $ended $bytes" |
        awk '{ printf "| %s | %s | %s | %.1f | %.1f |\n", $1, $2, $3, $5 - $4, $6 / 1e6 }'
}

init='init --schema stock.sql -o first.yaml'
pnpm='node /opt/tools/pnpm/bin/pnpm.cjs'
yarn='node /opt/tools/yarnpkg/bin/yarn.js'
echo '| root | with | as | s | MB |'
echo '| --- | --- | --- | --- | --- |'
for suite in bullseye bookworm trixie; do
    make_root "$suite"
    tries npx dev "npx --yes pgfsm $init"
    # Again: it is installed, and the server's files are in the cache.
    began=$(date +%s.%N)
    # shellcheck disable=SC2016 # for the shell inside
    inside dev /home/dev/npx 'set -e; for file in $HOME/.npm/_npx/*/node_modules/.bin/pgfsm; do
        $file run first.yaml --examples 1; done' >"$work/out" 2>&1 || complain "again: $(cat "$work/out")"
    echo "$suite $began $(date +%s.%N)" | awk '{ printf "| %s | again | dev | %.1f | 0.0 |\n", $1, $3 - $2 }'
    # As in a container whose project has been installed on another system.
    tries docker root "npx --yes --prefix /root pgfsm $init"
    if [ "$suite" = bookworm ]; then
        tries npm root "npm install --no-audit --save-dev --ignore-scripts pgfsm && npx pgfsm $init"
        tries pnpm dev "$pnpm add --save-dev pgfsm && $pnpm pgfsm $init"
        most=60000000 # Yarn 1 downloads the packages of all platforms
        tries yarn-1 dev "node /opt/tools/yarn/bin/yarn.js add --dev pgfsm --registry $address &&
            node /opt/tools/yarn/bin/yarn.js --silent pgfsm $init"
        most=
        tries yarn dev "$yarn add --dev pgfsm && $yarn pgfsm $init"
        linker=pnp
        tries yarn-pnp dev "$yarn add --dev pgfsm && $yarn pgfsm $init"
        linker=
    fi
    rm -rf "$root"
done
exit "$failed"
