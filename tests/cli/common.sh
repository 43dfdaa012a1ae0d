# What the tests of the program share. To be sourced by a POSIX shell script that runs in a directory
# of its own, $DIR, which is removed at the end; whatever the program leaves behind lies in $TMPDIR and
# is a failure. PROGRAM is the path of pgfsm.
#
#   with='NAME=VALUE …'      environment of the next run
#   runs STATUS WORD...      runs pgfsm; the streams go to the files out and err; complains where the exit
#                            status is another one
#   out TEXT, err TEXT       complains where the stream does not hold the text
#   out_lacks, err_lacks TEXT
#   left_nothing             complains where the program left a file or a process behind
#   begin WORD...            starts pgfsm in the background; $! is its process
#   until_true COMMAND...    waits, half a minute at the most
#   ends STATUS              waits for what begin started
#   no_database              nothing in the environment names a database
#   finish                   ends the script

checks_failed=0
with=

complain() {
    echo "FAILED: $*"
    checks_failed=1
}

common_begin() {
    DIR=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-cli.XXXXXX")
    chmod 755 "$DIR"
    TMPDIR=$DIR/tmp
    mkdir "$TMPDIR"
    chmod 777 "$TMPDIR"
    # The cache of initialised data directories is worth sharing between tests.
    # Texts are looked for that a narrow terminal would break.
    export TMPDIR NO_COLOR=1 TERM=dumb COLUMNS=1000
    unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
    cd "$DIR" || exit 1
}

# Takes what names a database or gives pgfsm defaults out of the environment.
no_database() {
    # shellcheck disable=SC2046 # a list of names
    unset $(env | sed -n '/^PGFSM_PG_BINDIR=/d; s/^\(PG[A-Z_]*\)=.*/\1/p') DATABASE_URL
}

common_end() {
    cd /
    rm -rf "$DIR"
}

show() {
    echo "--- standard output"
    head -n 60 out
    echo "--- standard error"
    head -n 60 err
    echo "---"
}

runs() {
    wanted=$1
    shift
    said="pgfsm $*"
    status=0
    # shellcheck disable=SC2086 # words
    env $with "$PROGRAM" "$@" >out 2>err </dev/null || status=$?
    with=
    [ "$status" = "$wanted" ] || {
        complain "$said: exit status $status, not $wanted"
        show
    }
}

holds() { # FILE TEXT
    grep -qF -e "$2" "$1" || {
        complain "$said: no '$2' in $1"
        show
    }
}

lacks() {
    ! grep -qF -e "$2" "$1" || {
        complain "$said: '$2' in $1"
        show
    }
}

out() { holds out "$1"; }
err() { holds err "$1"; }
out_lacks() { lacks out "$1"; }
err_lacks() { lacks err "$1"; }

# Processes that have the directory in their command line or work in it. Two programs look at all of them: a few for
# each process take a second. The list is made first, so that those two aren't in it.
processes_left() {
    set -- /proc/[0-9]*
    {
        printf '%s/cmdline\n' "$@" | xargs grep -lsF -e "$TMPDIR"
        find "$@" -maxdepth 1 -name cwd -lname "*$TMPDIR*" 2>/dev/null
    } | cut -d/ -f3 | sort -u
}

nothing_left() {
    [ -z "$(ls -A "$TMPDIR")" ] && [ -z "$(processes_left)" ]
}

left_nothing() {
    nothing_left || complain "$said: left behind: $(ls -A "$TMPDIR") $(processes_left)"
}

begin() {
    said="pgfsm $*"
    : >out
    : >err
    # A background job of a shell has SIGINT ignored; env gives it back.
    env --default-signal=INT,QUIT "$PROGRAM" "$@" >out 2>err </dev/null &
}

until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ]; then
            complain "$said: waited in vain for: $*"
            show
            return
        fi
        sleep 0.05
    done
}

ends() {
    status=0
    wait $! || status=$?
    [ "$status" = "$1" ] || {
        complain "$said: exit status $status, not $1"
        show
    }
}

finish() {
    exit "$checks_failed"
}
