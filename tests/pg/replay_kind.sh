# shellcheck shell=sh disable=SC2034 # `failed` is read by whoever sources it
# Failures of every kind, and the replay scripts of them. To be sourced behind server.sh, after server_start
# tcp, by a script that has written schema.sql:
#
#   kind NAME BUG < MACHINE   the machine fails with the SQL BUG after its schema, and holds without it
#
# The script of the failure then runs in each of $ways: with psql over a socket and over TCP, with pg_prove. With the
# bug it prints `not ok` and ends with 3. With $fix (SQL, usually empty) in place of the bug it prints `ok` and ends
# with 0. Both run again with $elsewhere (SQL) after it, which makes the database generate other values than in the
# original failure. `failed` is 1 if a check failed. `ways` can be made shorter. With `judges` set to "no" the script
# must not judge the answer without the bug: it says neither `ok` nor `not ok`, and ends with 3.

ways="socket tcp pg_prove"
fix=
elsewhere=
judges=yes
failed=0

complain() {
    echo "FAILED: $*"
    failed=1
}

# kind NAME BUG < MACHINE: a machine whose schema is schema.sql, and the bug that makes it fail.
kind() {
    name=$1
    script=
    { printf 'machine: %s\nschema: schema.sql\n' "$name" && cat; } >"$name.yaml"
    printf '%s\n' "$2" >"$name-bug.sql"
    PGDATABASE=postgres "$PROGRAM" run "$name.yaml" --apply "$name-bug.sql" --seed 3 --examples 30 \
        --out "out-$name" >"$name.report" 2>&1
    status=$?
    [ "$status" = 1 ] || {
        complain "$name: pgfsm's exit status is $status, not 1"
        cat "$name.report"
        return
    }
    # shellcheck disable=SC2012 # names that pgfsm made: letters, digits, - and _
    script=$(ls "out-$name"/*.sql 2>/dev/null | head -n 1)
    [ -n "$script" ] || {
        complain "$name: no script"
        cat "$name.report"
        return
    }
    plays "with the bug" 3 '^not ok 1 - '
    printf '%s\n' "$fix" >"$name-bug.sql"
    if [ "$judges" = no ]; then
        judges_not
        return
    fi
    plays "with the fix" 0 '^ok 1 - '
    [ -n "$elsewhere" ] || return 0
    printf '%s\n' "$fix" "$elsewhere" >"$name-bug.sql"
    plays "with the fix, elsewhere" 0 '^ok 1 - '
    printf '%s\n' "$2" "$elsewhere" >"$name-bug.sql"
    plays "with the bug, elsewhere" 3 '^not ok 1 - '
}

judges_not() {
    status=0
    psql -X -d empty -f "$script" >tap 2>err || status=$?
    if [ "$status" != 3 ] || grep -q 'ok' tap || ! grep -q "SQL can't tell" err; then
        complain "$name, with the fix: the script judges an answer that it can't judge"
        cat tap err "$script"
    fi
    status=0
    PGDATABASE=postgres "$PROGRAM" replay "$script" >tap 2>err || status=$?
    if [ "$status" != 2 ] || ! grep -q '^Bail out!' tap; then
        complain "$name, with the fix: pgfsm replay ends with $status"
        cat tap err
    fi
}

# plays WHEN STATUS LINE: the script, in every way.
plays() {
    for way in $ways; do
        [ "$way" != pg_prove ] || {
            proves "$1" "$2"
            continue
        }
        status=0
        if [ "$way" = tcp ]; then
            PGHOST=127.0.0.1 PGPASSWORD=$SERVER_PASSWORD psql -X -d empty -f "$script" >tap 2>err || status=$?
        else
            psql -X -d empty -f "$script" >tap 2>err || status=$?
        fi
        # One plan and one result, whatever the rows contain. The other lines are comments.
        lines=$(grep -c -v '^#' tap)
        if [ "$status" != "$2" ] || ! grep -q "$3" tap || [ "$(head -n 1 tap)" != 1..1 ] ||
            [ "$lines" != 2 ]; then
            complain "$name, $1, $way: exit status $status, not $2"
            cat tap err "$script"
        fi
        # If the script passes, psql prints no error, not even a predicted one.
        if [ "$2" = 0 ] && grep -q ERROR err; then
            complain "$name, $1, $way: psql prints an error"
            cat err "$script"
        fi
    done
}

proves() {
    command -v pg_prove >/dev/null || return 0
    status=0
    pg_prove -d empty "$script" >proved 2>&1 || status=$?
    case $2,$status in
    0,0 | 3,[1-9]*) ;;
    *)
        complain "$name, $1: pg_prove's exit status is $status"
        cat proved
        ;;
    esac
}

