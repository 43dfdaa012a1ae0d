# Functions that the scripts of this folder share: packages, builds. A script sources this file,
# which changes to the project's top folder and sets $caller to the original folder.
# shellcheck shell=sh disable=SC2034 # variables for those who source it
set -eu

caller=$PWD
cd "$(dirname "$0")/.."

# Debian's names. docs/ARCHITECTURE.md says what each is for.
build_packages='gcc libc6-dev cmake ninja-build pkg-config libpq-dev libyaml-dev libgmp-dev
    libunistring-dev'
quick_packages='libcmocka-dev mold tzdata'
test_packages="$quick_packages"' g++ libfaketime libtap-parser-sourcehandler-pgtap-perl lowdown mandoc man-db bsdutils zsh fish
    dpkg-dev file git lintian jq libxml2-utils python3-jsonschema python3-pytest yamllint parallel'
lint_packages='clang clang-format clang-tidy libclang-rt-14-dev shellcheck'
night_packages='debootstrap python3-yaml pgbouncer python3-pip python3-setuptools python3-venv python3-wheel
    slurm-wlm munge openmpi-bin rsync'

die() {
    echo "$0: $*" >&2
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

# Prints those of the named packages that are not installed.
missing_packages() {
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
        sed -n 's/^installed //p' | tr '\n' ' ') || true
    for package in "$@"; do
        case " $installed" in
        *" $package "*) ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# Succeeds if PostgreSQL's server programs are installed on this machine, from any source.
has_server() {
    for dir in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin; do
        [ ! -x "$dir/initdb" ] || return 0
    done
    command -v initdb >/dev/null
}

# Debian's server package creates a database cluster and starts it, which we don't need. The setting
# exists only while the package is being installed.
install_packages() {
    no_cluster=/etc/postgresql-common/createcluster.d/pgfsm.conf
    as_root mkdir -p "${no_cluster%/*}"
    echo 'create_main_cluster = off' | as_root tee "$no_cluster" >/dev/null
    status=0
    as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "$@" || status=$?
    as_root rm -f "$no_cluster"
    return "$status"
}

# need PACKAGE...: installs those that are missing. `server` means a PostgreSQL server, `client` psql, and `npm` npm,
# each of any version. Without apt-get, nothing is installed, and the build fails if a package is missing.
need() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || return 0
    wanted=
    for package in "$@"; do
        case $package in
        server) has_server || wanted="$wanted postgresql" ;;
        npm) command -v npm >/dev/null || wanted="$wanted npm" ;;
        client) command -v psql >/dev/null || wanted="$wanted postgresql-client" ;;
        *) wanted="$wanted $package" ;;
        esac
    done
    # shellcheck disable=SC2086 # lists of words, here and below
    wanted=$(missing_packages $wanted)
    [ -n "$wanted" ] || return 0
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        die "these packages are missing and only root can install them:$wanted
  as root: apt-get install$wanted"
    fi
    echo "installing:$wanted" >&2
    # shellcheck disable=SC2086
    install_packages $wanted >&2 || die "could not install$wanted"
}

# Lets the tests' servers run in memory if there is room, which takes half the time. Sets TMPDIR and TEST_CLUSTERS
# (tests/pg/server.sh); removed when the script exits. Tests start psql and createdb a thousand times: Debian's /usr/bin has
# scripts in their place, which take four times as long.
servers_in_memory() {
    programs=$(pg_config --bindir 2>/dev/null) && PATH=$programs:$PATH
    [ ! -w /dev/shm ] || [ "$(df -Pk /dev/shm | awk 'END { print $4 }')" -le 4000000 ] || TMPDIR=/dev/shm
    TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm.XXXXXX")
    TEST_CLUSTERS=$TMPDIR/clusters
    export TMPDIR TEST_CLUSTERS
    trap 'rm -rf "$TMPDIR"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    chmod 1777 "$TMPDIR"
    mkdir "$TEST_CLUSTERS"
}

# configure PRESET: configures if that was not done yet, or if the presets or a CMakeLists.txt are
# newer.
configure() {
    rules=build/$1/build.ninja
    if [ ! -f "$rules" ] || [ -n "$(find CMakePresets.json -newer "$rules")" ]; then
        cmake --preset "$1" >&2 || return
    fi
    ninja -C "build/$1" build.ninja >&2
}

# build PRESET [TARGET | NINJA-OPTION...]: configures, and builds the targets that changed.
build() {
    preset=$1
    shift
    configure "$preset" || return # also where the caller looks at the status, so that `set -e` does not
    ninja -C "build/$preset" -n "$@" | grep -q 'no work to do' ||
        ninja -C "build/$preset" -j "$(nproc)" "$@" >&2
}
