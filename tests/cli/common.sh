# Functions that the tests of the program share. A POSIX shell script sources this file and then runs in its own
# directory, $DIR, which is removed at the end. Anything that the program leaves in $TMPDIR is a failure. PROGRAM is the
# path of pgfsm.
#
#   with='NAME=VALUE …'      environment of the next run
#   runs STATUS WORD...      runs pgfsm; the streams go to the files out and err; complains if the exit
#                            status is another one
#   out TEXT, err TEXT       complains if the stream lacks the text
#   out_lacks, err_lacks TEXT
#   left_nothing             complains if the program left a file or a process behind
#   begin WORD...            starts pgfsm in the background; $! is its process
#   until_true COMMAND...    waits for at most half a minute
#   ends STATUS              waits for the process that begin started
#   no_database              unsets the variables that name a database
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

# Unsets the environment variables that name a database or give pgfsm defaults.
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

# Prints the processes that have the directory in their command line or as their working directory. Two programs check
# all processes, because starting a few for each process would take a second. The list is made first, so that it does
# not contain those two.
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
