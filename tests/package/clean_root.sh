#!/bin/sh
# clean_root.sh TOP
#
# Does what a new user does, in fresh Debian root file systems: follows ci/Dockerfile, installs the packages, builds a
# program with the library, and tests machines like the action for GitHub and the template for GitLab, against a server
# of this machine. TOP is the project. Needs root and Debian's archive.
set -eu

top=$1
here=$top/tests/package
. "$top/tests/pg/server.sh"
failed=0
complain() {
    echo "$*"
    failed=1
}

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "SKIPPED: needs root and debootstrap"
    exit 77
fi
work=$(mktemp -d "${TMPDIR:-/var/tmp}/pgfsm-roots.XXXXXX")
trap 'rm -rf "$work"' EXIT
debootstrap --variant=minbase bookworm "$work/base" >"$work/log" 2>&1 || {
    echo "SKIPPED: debootstrap: $(tail -n 1 "$work/log")"
    exit 77
}

# inside ROOT USER FOLDER COMMAND
inside() {
    # shellcheck disable=SC2016 # for the shell inside
    chroot --userspec="$2" "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
        HOME="/$([ "$2" = root ] && echo root || echo "home/$2")" FOLDER="$3" sh -c 'cd "$FOLDER" && unset FOLDER && eval "$1"' sh "$4"
}

# Executes the Dockerfile. Sets $root to the image, $user, $folder and $entry to what it runs, and $work to the folder
# of its stages.
build_image() {
    python3 "$here/steps.py" docker "$top/ci/Dockerfile" >"$work/instructions"
    stage=
    while IFS="$(printf '\t')" read -r instruction rest; do
        case $instruction in
        FROM)
            case $rest in debian:12-slim*) ;; *) complain "another base: $rest" ;; esac
            stage=image
            case $rest in *' AS '*) stage=${rest##* AS } ;; esac
            root=$work/$stage user=root folder=/
            cp -a "$work/base" "$root"
            ;;
        RUN)
            inside "$root" "$user" "$folder" "$rest" >"$work/log" 2>&1 </dev/null || {
                tail -n 40 "$work/log"
                echo "ci/Dockerfile: $rest"
                exit 1
            }
            ;;
        WORKDIR)
            folder=$rest
            mkdir -p "$root$folder"
            ;;
        COPY)
            case $rest in
            '. .') (cd "$top" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
                tar -x -C "$root$folder" --no-same-owner ;;
            --from=*)
                # shellcheck disable=SC2086 # words
                set -- ${rest#--from=}
                # shellcheck disable=SC2086 # a pattern
                cp "$work/$1"$2 "$root$3"
                ;;
            esac
            ;;
        USER) user=$rest ;;
        ENTRYPOINT) entry=$rest ;;
        CMD) ;;
        *) complain "ci/Dockerfile: $instruction is not known here" ;;
        esac
    done <"$work/instructions"
}

holds() { # FILE TEXT
    grep -qF -e "$2" "$1" || {
        complain "no '$2':"
        tail -n 20 "$1"
    }
}

# runs STATUS ROOT USER FOLDER COMMAND: the output goes to $work/out.
runs() {
    wanted=$1
    shift
    status=0
    inside "$@" >"$work/out" 2>&1 </dev/null || status=$?
    [ "$status" = "$wanted" ] || {
        complain "$4: exit status $status, not $wanted"
        tail -n 30 "$work/out"
    }
}

# Somebody's repository, in the folder $1.
make_repository() {
    mkdir -p "$1/sql"
    cp -R "$top/machines" "$top/sql" "$1"
    find "$1/machines" -name '*.yaml' ! -name membership.yaml -delete
}

build_image
[ "$user" != root ] || complain "the image runs as root"
[ "$entry" = '["pgfsm"]' ] || complain "the image runs $entry"
make_repository "$root$folder"
chroot "$root" chown -R "$user" "$folder"
runs 0 "$root" "$user" "$folder" 'pgfsm run machines'
holds "$work/out" 'ok  membership'
runs 1 "$root" "$user" "$folder" 'pgfsm run machines --apply sql/bugs/membership-editor-shadow.sql'
holds "$work/out" 'invariant editors'

# The library, in a root with a compiler.
build=$work/build packages=/src/build/package
cp "$here/consumer.c" "$build/tmp"
runs 0 "$build" root /tmp "apt-get update -q && apt-get install -q -y --no-install-recommends $packages/libpgfsm*.deb"
# shellcheck disable=SC2016 # for the shell inside
runs 0 "$build" root /tmp 'gcc -o consumer consumer.c $(pkg-config --cflags --libs pgfsm) && ./consumer'
version=$(sed -n 's/^  VERSION \(.*\)/\1/p' "$top/CMakeLists.txt")
holds "$work/out" "$version"

# The action, in a repository whose job has a server. $root is the runner; $given are inputs.
server_start tcp
trap 'server_stop; rm -rf "$work"' EXIT
psql -qX --set ON_ERROR_STOP=1 --file "$top/ci/role.sql"
variables="export PGHOST=127.0.0.1 PGPORT=$PGPORT PGUSER=pgfsm_ci PGPASSWORD=pgfsm_ci PGDATABASE=postgres
export GITHUB_ACTIONS=true GITHUB_ACTION_PATH=/action/ci/action GITHUB_OUTPUT=/tmp/output GITHUB_STEP_SUMMARY=/tmp/summary"
action() { # STATUS EVENT INPUT=VALUE...
    status=$1 event=$2
    shift 2
    python3 "$here/steps.py" action "$top/ci/action/action.yml" "$@" >"$root/tmp/steps"
    runs "$status" "$root" root /repository "$variables GITHUB_EVENT_NAME=$event; bash /tmp/steps"
}
make_runner() { # NAME BASE
    root=$work/$1
    [ "$2" = "$1" ] || cp -a "$work/$2" "$root"
    mkdir "$root/action"
    (cd "$top" && git ls-files -z --cached --others --exclude-standard | tar -c --null -T - --ignore-failed-read) |
        tar -x -C "$root/action" --no-same-owner
    make_repository "$root/repository"
}

make_runner runner base
cp "$build$packages"/pgfsm_*.deb "$root/repository/pgfsm.deb"
sum=$(sha256sum <"$root/repository/pgfsm.deb" | cut -d' ' -f1)
action 1 push package=pgfsm.deb sha256=0000000000000000000000000000000000000000000000000000000000000000
holds "$work/out" 'is another file'
action 0 pull_request package=pgfsm.deb "sha256=$sum"
holds "$work/out" 'seed 1'
[ -s "$root/repository/pgfsm-report/pgfsm.xml" ] || complain "no JUnit report"
action 1 schedule package=pgfsm.deb "arguments=
    --apply=sql/bugs/membership-editor-shadow.sql
    --examples=200"
! grep -q 'seed 1$' "$work/out" || complain "the seed of a nightly run is fixed"
holds "$root/tmp/summary" 'invariant editors'
ls "$root"/repository/.pgfsm/*/*.trace >/dev/null || complain "no failure is kept for the cache"
ls "$root"/repository/counterexamples/*.sql >/dev/null || complain "no replay script is kept"

# The template for GitLab, in a root with pgfsm.
for job in pgfsm pgfsm-nightly; do
    python3 "$here/steps.py" gitlab "$top/ci/gitlab.yml" "$job" | sed 's/--max-time=10m/--max-time=10s/' >"$root/tmp/steps"
    runs 0 "$root" root /repository "$variables; unset GITHUB_ACTIONS; export CI_PIPELINE_SOURCE=schedule; bash /tmp/steps"
    holds "$work/out" 'ok  membership'
done

# Without a package, the action builds one, and keeps it.
make_runner build build
action 0 push
holds "$root/tmp/output" 'key=pgfsm-package-debian12-'
ls "$root"/*/.cache/pgfsm-package/*/pgfsm_*.deb >/dev/null || complain "the package is not kept"
rm -rf "$root/action/build"
action 0 push
[ ! -e "$root/action/build" ] || complain "the package was built again"

exit "$failed"
