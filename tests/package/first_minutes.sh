#!/bin/sh
# first_minutes.sh TOP FOLDER
#
# Records what a new user sees in the first minute, with npx, with pytest and with the archive: runs the commands below in
# a fresh root of Debian 12, and writes them, with what they print and the time that they take in all, between the marks
# of docs/INSTALL.md and docs/TEST-RUNNERS.md. FOLDER has the files of a release (ci/release). Needs root, debootstrap and
# npm.
set -eu

top=$1 packages=$(realpath "$2")
skip() {
    echo "SKIPPED: $*"
    exit 77
}
complain() {
    tail -n 20 "$work/text" || true
    echo "FAILED: $*"
    exit 1
}
[ "$(id -u)" = 0 ] || skip "needs root"
work=$(mktemp -d /var/tmp/pgfsm-minutes.XXXXXX)
registry=
trap '[ -z "$registry" ] || kill "$registry"; rm -rf "$work"' EXIT
chmod 755 "$work"
. "$top/tests/package/node_root.sh"
make_root bookworm

# record NAME DOCUMENT: the commands are read from the standard input.
record() {
    folder=/home/dev/$1
    mkdir -p "$root$folder"
    cat >"$root$folder/schema.sql" <<'END'
CREATE TABLE stock (item text PRIMARY KEY, quantity integer NOT NULL CHECK (quantity >= 0));
END
    [ "$1" = npx ] || cp "$packages"/*.whl "$packages"/*-x86_64.tar.gz "$packages/SHA256SUMS" "$root$folder"
    chroot "$root" chown -R dev: "$folder"
    began=$(date +%s.%N)
    while read -r command; do
        echo "\$ $command"
        inside dev "$folder" "$command" 2>&1 </dev/null || complain "$1: $command" >&2
    done >"$work/text"
    echo "$began $(date +%s.%N)" | awk '{ printf "# %.1f seconds in all\n", $2 - $1 }' >>"$work/text"
    awk -v mark="<!-- $1: tests/package/first_minutes.sh wrote this -->" -v text="$work/text" '
        $0 == "```" { inside = 0 }
        !inside
        $0 == mark { marked = 1 }
        marked && $0 == "```console" {
            while ((getline line < text) > 0)
                print line
            marked = 0
            inside = 1
        }' "$top/docs/$2" >"$work/document"
    cat "$work/document" >"$top/docs/$2"
}

record npx INSTALL.md <<'END'
cat schema.sql
npx --yes pgfsm init --schema schema.sql -o first.yaml
npx pgfsm run first.yaml
END
chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update -q && apt-get install -q -y \
    --no-install-recommends postgresql python3-pytest python3-venv' >"$work/log" 2>&1 || skip "$(tail -n 1 "$work/log")"
record archive INSTALL.md <<'END'
sha256sum --check --ignore-missing SHA256SUMS
tar -xzf pgfsm-*-linux-x86_64.tar.gz -C ~
~/pgfsm-*/bin/pgfsm init --schema schema.sql -o first.yaml
~/pgfsm-*/bin/pgfsm run first.yaml
END
ln -s "/home/dev/$(cd "$root/home/dev" && echo pgfsm-*)/bin/pgfsm" "$root/usr/local/bin/pgfsm"
record pytest TEST-RUNNERS.md <<'END'
python3 -m venv --system-site-packages .venv
.venv/bin/python -m pip install --quiet ./pytest_pgfsm-*-py3-none-any.whl
pgfsm init --schema schema.sql -o stock.pgfsm.yaml
.venv/bin/python -m pytest -v
END
