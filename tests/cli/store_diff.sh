#!/bin/sh
# A run over two databases that several processes split by a store.
#
#   PROGRAM=… sh tests/cli/store_diff.sh [all]
#
# all: also a difference, a merge of the reports, and that changed files are another run.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start tcp
common_begin
trap 'common_end; server_stop' EXIT
psql -Xq -c 'CREATE DATABASE store'
PGFSM_STORE="postgresql://postgres:$SERVER_PASSWORD@127.0.0.1:$SERVER_PORT/store"
export PGFSM_STORE
ask() { psql -XAtq -d store -c "$1"; }
# Without times, and who shrank what.
plain() { sed -E 's/[0-9.]+ m?s, seed/T, seed/; s/; (shrunk|[^;]* shrank it) to .*//' "$1"; }

all=${1:-no}
# What differs by nature is learned in one process, and what is accepted is seen in one.
cat >old.sql <<'END'
CREATE TABLE orders (id int PRIMARY KEY, total int NOT NULL);
CREATE FUNCTION capped(n int) RETURNS int LANGUAGE sql RETURN n;
CREATE FUNCTION noisy() RETURNS double precision LANGUAGE sql RETURN random();
END
sed 's/RETURN n/RETURN least(n, 5)/' old.sql >capped.sql
sed 's/total int NOT NULL/total int/' capped.sql >other.sql
printf -- '- {on: "*capped", reason: capped now}\n- {on: "*gone", reason: not there}\n' >expected.yaml
differ() { # NEW
    echo "diff --schema old.sql --new-schema $1.sql --differences expected.yaml --steps ${steps:-10} --examples ${examples:-8}"
}
# Each process says what one alone would say, and so does merge of their reports.
split() { # STATUS NEW
    # shellcheck disable=SC2046 # words
    with=PGFSM_STORE= runs "$1" $(differ "$2") --seed 7 --report text
    rm -rf .pgfsm counterexamples
    plain out >whole
    PGFSM_RUN_ID=$2
    export PGFSM_RUN_ID
    processes=
    for i in 1 2; do
        mkdir -p "$2$i"
        for file in *.sql expected.yaml; do ln -sf "../$file" "$2$i"; done
        # shellcheck disable=SC2046
        (cd "$2$i" && exec "$PROGRAM" $(differ "$2") --seed 7 --report text --report json=report.json >out 2>err </dev/null) &
        processes="$processes $!"
    done
    for process in $processes; do
        status=0
        wait "$process" || status=$?
        [ $status = "$1" ] || complain "$2: a process ended with $status: $(cat "$2"?/err)"
    done
    # shellcheck disable=SC2046
    [ "$all" = no ] || with=PGFSM_STORE= runs "$1" merge "$2"?/report.json $(differ "$2" | cut -d ' ' -f 2-)
    rm -rf .pgfsm counterexamples
    for said in "$2"1/out "$2"2/out out; do
        plain "$said" | diff whole - >difference || complain "$2, $said: $(cat difference)"
    done
    [ "$(ask "SELECT count(*) FROM pgfsm.chunk AS c JOIN pgfsm.run AS r ON r.id = c.run WHERE name = '$2' AND done IS NULL")" = 0 ] ||
        complain "$2: some examples did not run"
}
split 0 capped
holds whole "as pairs       column noisy of call_noisy"
holds whole "accepted       *capped (capped now)"
if [ "$all" != no ]; then
    # The second process runs no example, and knows all the same what was seen.
    PGFSM_RUN_ID=late
    for _ in 1 2; do
        # shellcheck disable=SC2046
        runs 0 $(differ capped) --seed 7 --rule call_capped
        out "accepted       *capped (capped now)"
    done

    # What pinned examples teach, those of chunks need not teach again.
    cat >pinned.yaml <<'END'
machine: pinned
rules: {noise: {sql: SELECT noisy() AS n}}
examples: [{name: noise, steps: noise()}]
END
    # shellcheck disable=SC2046
    runs 0 $(differ capped | sed 's/diff /diff pinned.yaml /; s/--differences [^ ]*//') --seed 7
    out "as pairs       column n of noise"

    examples=40 steps=15
    split 1 other
    holds whole "not_null_violation"
    examples=1
    PGFSM_RUN_ID='key'
    for changed in '' expected.yaml capped.sql; do
        [ -z "$changed" ] || case $changed in *.sql) echo '--' ;; *) echo '#' ;; esac >>"$changed"
        # shellcheck disable=SC2046
        runs 0 $(differ capped) --seed 7
    done
    [ "$(ask "SELECT count(*) FROM pgfsm.run WHERE name = 'key'")" = 3 ] || complain "runs: $(ask 'SELECT * FROM pgfsm.run')"

    # Several differences, of which each hides others once it is told.
    {
        grep -v '^CREATE TABLE' capped.sql
        for table in a b c; do echo "CREATE TABLE $table (id int PRIMARY KEY, note text);" >>old.sql; done
    } >gone.sql
    examples=40
    ask "DELETE FROM pgfsm.failure"
    split 1 gone
    [ "$(grep -c '^DIFFERS' whole)" -ge 3 ] || complain "few differences: $(cat whole)"
fi
left_nothing
finish
