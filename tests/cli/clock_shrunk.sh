#!/bin/sh
# clock_shrunk.sh TOP
#
# Pinned examples that become shorter only if a step is removed and a wait becomes longer or shorter at the same time.
# They must shrink to the steps in the head of the bug's file.
set -u
. "$(dirname "$0")/common.sh"
top=$1/machines/clock
. "$1/tests/support/bugs.sh"
common_begin
trap common_end EXIT
no_database
mkdir sql
cp "$top"/sql/*.sql sql

# gets_to BUG: the example on the standard input.
gets_to() {
    machine=$(bug_machine "$1")
    {
        cat "$top/$machine.yaml"
        printf 'examples:\n  - name: longer\n    steps: |\n'
        sed 's/^/      /'
    } >longer.yaml
    runs 1 run longer.yaml --examples 0 --no-save --apply "$top/sql/bugs/$1.sql"
    out 'a shorter form'
    sed '1,/a shorter form/d' out | sed -nE 's/^ *[0-9]+[> ] //; s/\)   .*/)/; /^[a-z_0-9]+( =|\()/p' >shorter
    bug_steps "$1" | cmp -s - shorter || {
        complain "$1: not at its shortest"
        show
    }
}

# The lease must expire because it is no longer released, so the wait must be longer.
gets_to queue-back_off <<'END'
jobs_1 = enqueue(delay="00:00:00")
claim()
fail(job=jobs_1)
wait(by="00:00:20")
claim()
fail(job=jobs_1)
wait(by="00:00:20")
claim()
END

# A period less: the waits must be shorter, but not by much more than it.
gets_to subscriptions-gap <<'END'
accounts_1 = sign_up()
pay(account=accounts_1)
pay(account=accounts_1)
wait(by="15 days")
wait(by="59 days 00:00:01")
pay(account=accounts_1)
END
left_nothing
finish
