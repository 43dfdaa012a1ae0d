# shellcheck shell=sh disable=SC2034 # `failed` is read by whoever sources it
# The steps that a report prints can be pasted under examples: without changes. The pinned example fails again in the
# same way, under its name, and with all steps, and passes after the bug is fixed. A script sources this file after
# server.sh, in its own folder. `failed` is 1 if a check failed.

failed=0

complain() {
    echo "FAILED: $1"
    cat report
    failed=1
}

# The steps of the report's first failure, as they are printed.
printed() {
    awk '/^(FAIL|FLAKY)/ { seen++ } seen == 1 && /^     [^ ]/ { exit } seen == 1 && /^ +[0-9]+[> ] /' "$1"
}

# The same without their numbers and answers, and without the notes of a run about their arguments.
steps() { printed "$1" | sed -E 's/^ *[0-9]*[> ] //; s/\)   .*/)/'; }

# run STATUS MACHINE OPTION...: into `report`.
run() {
    wanted=$1
    shift
    status=0
    "$PROGRAM" run "$@" --no-save >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || complain "$*: exit status $status, not $wanted"
}

# pasted MACHINE [OPTION...]: the failure is found, pasted into pasted.yaml in the same folder, and
# fails again.
pasted() {
    machine=$1
    shift
    echo "$machine $*"
    run 1 "$machine" --seed 4 -v --examples 1000 "$@"
    sed -n '/^FAIL/{p;q;}' report >headline
    steps report >found
    [ -s found ] || complain "no steps"
    grep -q '^  pin ' report || complain "nothing on how to pin it"
    pinned=$(dirname "$machine")/pasted.yaml
    {
        cat "$machine"
        printf '\nexamples:\n  - name: "it''s pasted"\n    steps: |\n'
        # YAML wants the first line to be the least indented, which it is not with ten steps.
        if [ "$(wc -l <found)" -lt 10 ]; then
            printed report | sed 's/^/    /'
        else
            sed 's/^/      /' found
        fi
    } >"$pinned"
    run 1 "$pinned" --examples 0 -v "$@"
    sed -n '/^FAIL/{p;q;}' report >headline-again
    steps report >found-again
    diff headline headline-again || complain "it fails in another way"
    diff found found-again || complain "other steps"
    grep -q "^  pinned example 'it.*s pasted'" report || complain "not under its name"
    ! grep -q '^  pin ' report || complain "it is pinned already"
    ! grep -q '^  a .* form:' report || complain "it is as short as can be"
}
