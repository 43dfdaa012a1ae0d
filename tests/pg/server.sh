# Starts a PostgreSQL server for one test. A POSIX shell script sources this file:
#
#   . "$(dirname "$0")/server.sh"
#   server_start socket     # a Unix socket only, trusting everybody
#   server_start tcp        # also 127.0.0.1, where postgres needs the password $SERVER_PASSWORD
#
# It sets SERVER_DIR, SERVER_BIN (the folder of the server's programs), SERVER_MAJOR (the first number of its version),
# SERVER_SOCKET and SERVER_PORT, and sets PGHOST, PGPORT, PGUSER and PGDATABASE so that libpq's programs reach it over
# the socket. All other variables of libpq and pgfsm (PG*) are unset, so that the caller's environment has no effect,
# except PGFSM_PG_BINDIR, the folder of the server programs for both (versions/on.sh). TEST_ALL, which is not exported,
# has the value of PGFSM_TEST_ALL, which the night sets. The server is stopped, and its directory removed, when the
# script exits, however it exits; a script that sets an EXIT trap of its own calls server_stop in it. TEST_CLUSTERS names a folder for prepared data directories, one for each version: copying one takes
# less than half the time of initdb. Without it, each test runs initdb. Root is not allowed to run a server: then it
# runs as `postgres`, or as `nobody` if that user does not exist.

SERVER_DIR=
SERVER_PASSWORD=superuser-secret

# Prints the first word by day, and the second one by night.
by_day() {
    [ -n "$TEST_ALL" ] || set -- "$2" "$1"
    echo "$2"
}

server_fail() {
    echo "server.sh: $*" >&2
    exit 1
}

server_find_bin() {
    for dir in "${PGFSM_PG_BINDIR:-}" "$(pg_config --bindir 2>/dev/null)" \
        "$(dirname "$(command -v initdb 2>/dev/null)" 2>/dev/null)" \
        $(printf '%s\n' /usr/lib/postgresql/*/bin /usr/pgsql-*/bin | sort -rV); do
        if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then
            SERVER_BIN=$(dirname "$(readlink -f "$dir/postgres")")
            # shellcheck disable=SC2034 # for those who source it
            SERVER_MAJOR=$("$SERVER_BIN/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
            return
        fi
    done
    server_fail "PostgreSQL's server programs are not found; set PGFSM_PG_BINDIR"
}

# Runs a command as the user that the server runs as, from a directory which that user may read.
server_as_user() {
    (
        cd "$SERVER_DIR" || exit 1
        if [ "$(id -u)" = 0 ]; then
            runuser -u "$SERVER_USER" -- "$@"
        else
            "$@"
        fi
    )
}

server_make_dir() {
    SERVER_DIR=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-server.XXXXXX")
    SERVER_SOCKET=$SERVER_DIR/socket
    mkdir "$SERVER_SOCKET"
    chmod 755 "$SERVER_DIR" "$SERVER_SOCKET"
    SERVER_USER=postgres
    id "$SERVER_USER" >/dev/null 2>&1 || SERVER_USER=nobody
    [ "$(id -u)" != 0 ] || chown -R "$SERVER_USER" "$SERVER_DIR"
}

server_initdb() { # DIRECTORY
    printf '%s\n' "$SERVER_PASSWORD" >"$SERVER_DIR/password"
    server_as_user "$SERVER_BIN/initdb" --pgdata="$1" --username=postgres \
        --pwfile="$SERVER_DIR/password" --auth-local=trust --auth-host=scram-sha-256 \
        --encoding=UTF8 --locale=C.UTF-8 --wal-segsize=1 --no-sync >"$SERVER_DIR/initdb.log" 2>&1 ||
        server_fail "initdb failed: $(cat "$SERVER_DIR/initdb.log")"
}

server_init() {
    [ -d "${TEST_CLUSTERS:-}" ] || {
        server_initdb "$SERVER_DIR/data"
        return
    }
    cluster=$TEST_CLUSTERS/$("$SERVER_BIN/postgres" --version | tr -cs 'A-Za-z0-9.' '-')
    exec 8>"$cluster.lock"
    flock 8
    [ -d "$cluster" ] || {
        server_initdb "$SERVER_DIR/data"
        mv "$SERVER_DIR/data" "$cluster"
    }
    exec 8>&-
    cp -a "$cluster" "$SERVER_DIR/data"
}

# Tries one port. Fails if another program listens on it.
server_try_port() {
    server_as_user "$SERVER_BIN/pg_ctl" start --wait --silent --pgdata="$SERVER_DIR/data" \
        --log="$SERVER_DIR/log" --options="-p $1 -k '$SERVER_SOCKET' -c listen_addresses='$2' \
-c fsync=off -c synchronous_commit=off -c full_page_writes=off" >/dev/null 2>&1
}

server_start() {
    case $1 in
    socket) listen= ;;
    tcp) listen=127.0.0.1 ;;
    *) server_fail "server_start socket, or server_start tcp" ;;
    esac
    server_find_bin
    # shellcheck disable=SC2034 # for those who source it
    TEST_ALL=${PGFSM_TEST_ALL:-}
    # shellcheck disable=SC2046 # a list of names
    unset $(env | sed -n '/^PGFSM_PG_BINDIR=/d; s/^\(PG[A-Z_]*\)=.*/\1/p') DATABASE_URL
    server_make_dir
    trap server_stop EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    server_init
    SERVER_PORT=
    for attempt in 1 2 3 4 5 6 7 8; do
        port=$((20000 + ($$ + attempt * 1237) % 12000))
        if server_try_port "$port" "$listen"; then
            SERVER_PORT=$port
            break
        fi
    done
    [ -n "$SERVER_PORT" ] || server_fail "the server does not start: $(cat "$SERVER_DIR/log")"
    PGHOST=$SERVER_SOCKET PGPORT=$SERVER_PORT PGUSER=postgres PGDATABASE=postgres
    COLUMNS=1000 # texts are looked for that a narrow terminal would break
    export PGHOST PGPORT PGUSER PGDATABASE COLUMNS
}

server_stop() {
    [ -n "$SERVER_DIR" ] || return 0
    if [ -f "$SERVER_DIR/data/postmaster.pid" ]; then
        server_as_user "$SERVER_BIN/pg_ctl" stop --silent --mode=immediate \
            --pgdata="$SERVER_DIR/data" >/dev/null 2>&1 || true
    fi
    rm -rf "$SERVER_DIR"
    SERVER_DIR=
}
