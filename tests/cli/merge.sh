#!/bin/sh
# Merged shards give the reports of a run without shards, in every format, except for times: the run itself is what they
# are compared with.
#
#   PROGRAM=… sh tests/cli/merge.sh [few|all|mutate|diff|sessions [NAME...]]
#
# few: a machine and a bug, a few mutants, a comparison (by night two), and what merge refuses. all: every machine and
# every planted bug. mutate: the mutants of every machine. diff: every planted bug as a migration. sessions: every race.
# With a NAME only these.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
. "$top/tests/support/timeless.sh"
which=${1:-few}
[ $# -eq 0 ] || shift
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
no_github='-u GITHUB_ACTIONS -u GITHUB_STEP_SUMMARY'
formats="text json junit tap markdown github sarif ctrf html mutation"

# Long lines as several, to show where two differ.
commas() { sed 's/,/,\n/g' "$1"; }

reports() { # words that write each format to FORMAT.out
    for format in $formats; do printf -- '--report %s=%s.out ' "$format" "$format"; done
}

seed=7
examples=30
# Runs in a folder of its own, as both write .pgfsm and counterexamples; prints the exit status.
in_folder() { # FOLDER WORD...
    mkdir -p "$1/sql"
    folder=$1
    shift
    (
        cd "$folder" || exit 1
        rmdir sql
        ln -sfn "$top/machines" machines && ln -sfn "$top/sql" sql
        # shellcheck disable=SC2086 # words
        env $no_github "$PROGRAM" "$@" >printed 2>said
        echo $? >status
    )
}

words() { sed 's/"rows":/"rows",/g' "$1" | sed 's/,/,\n/g' | tr -d '[]{}' | sort; }

# Of a command on a machine, or on none (''), with options.
whole() { # COMMAND MACHINE OPTION...
    command=$1 machine=$2
    shift 2
    rm -rf whole
    # shellcheck disable=SC2046 # words
    in_folder whole "$command" ${machine:+"$machine"} "$@" --seed $seed --examples $examples --stats $(reports)
}

merged() { # COUNT COMMAND MACHINE OPTION...
    count=$1 command=$2 machine=$3
    shift 3
    rm -rf parts merged
    shard=0
    no_save=--no-save
    [ "$command" != mutate ] || no_save=
    while [ $shard -lt "$count" ]; do
        shard=$((shard + 1))
        in_folder parts/$shard "$command" ${machine:+"$machine"} "$@" --seed $seed --examples $examples \
            --shard $shard/"$count" --stats $no_save --report json=shard.json
    done
    reports_of_shards=$(find "$PWD/parts" -name shard.json | sort)
    # shellcheck disable=SC2046,SC2086 # words
    in_folder merged merge $reports_of_shards "$@" --examples $examples --stats $(reports)
}

compare() { # COUNT COMMAND MACHINE OPTION...
    merged "$@"
    cmp -s whole/status merged/status || complain "$*: status $(cat merged/status), not $(cat whole/status): $(cat merged/said)"
    cmp -s whole/said merged/said || complain "$*: standard error is not the same: $(diff whole/said merged/said)"
    for format in $formats; do
        flowed "whole/$format.out" >one
        flowed "merged/$format.out" >other
        # Rows of a set come in the order of their keys, which may be random.
        [ "$which" = few ] || case $format in
        json | html)
            words one >one.words && mv one.words one
            words other >other.words && mv other.words other
            ;;
        esac
        cmp -s one other || complain "$*: another report $format: $(commas one >one.words; commas other >other.words; diff one.words other.words | cut -c1-300 | head -n 20)"
    done
    for file in whole/counterexamples/*; do
        [ ! -e "$file" ] || cmp -s "$file" "merged/${file#whole/}" || complain "$*: another ${file#whole/}"
    done
}

counts=${COUNTS:-1 2 7 16}
same() { # COUNTS COMMAND MACHINE OPTION...
    numbers=$1
    shift
    whole "$@"
    case $(cat whole/status) in 0 | 1 | 4) ;; *) complain "$*: $(cat whole/status) $(cat whole/said)" ;; esac
    for n in $numbers; do
        compare "$n" "$@"
    done
}

wanted() { # NAME [WANTED...]
    name=$1
    shift
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) return 1 ;; esac
}

case $which in
all)
    for machine in "$top"/machines/*.yaml; do
        name=$(basename "$machine" .yaml)
        wanted "$name" "$@" && same "$counts" run "machines/$name.yaml"
    done
    for bug in $(bugs ''); do
        wanted "$bug" "$@" && same "$counts" run "machines/$(bug_machine "$bug").yaml" --apply "sql/bugs/$bug.sql"
    done
    finish
    ;;
mutate)
    examples=10
    for machine in "$top"/machines/*.yaml; do
        name=$(basename "$machine" .yaml)
        wanted "$name" "$@" && same "$counts" mutate "machines/$name.yaml"
    done
    finish
    ;;
diff)
    for bug in $(bugs ''); do
        # Its loop ends at the time limit: how far that is shrunk depends on how fast the computer is.
        [ "$bug" != billing-boundary ] || continue
        wanted "$bug" "$@" && same "$counts" diff "machines/$(bug_machine "$bug").yaml" --apply "sql/bugs/$bug.sql"
    done
    finish
    ;;
sessions)
    for race in $(races ''); do
        # Which answer of a deadlock arrives first is up to the server: two runs without shards differ, too.
        [ "$race" != transfers-lock-order ] || continue
        wanted "$race" "$@" && same "$counts" run "machines/${race%%-*}.yaml" --sessions 2 --apply "sql/races/$race.sql"
    done
    finish
    ;;
esac

examples=8
same "1 3" run machines/membership.yaml
# What the model prints, known failures, requirements, rules that never ran.
cat >known.yaml <<'END'
machine: known
schema: known.sql
model: n = 0
rules:
  add:
    args: {k: "integers(1, 9)"}
    sql: INSERT INTO t VALUES (:k)
    raises: "[None, unique_violation]"
    model: |
      n += 1
      if n == 4:
          print("four", k)
  rare: {precondition: n == 9, xfail: divided, sql: SELECT 1 / 0}
  unseen: {precondition: n > 90, xfail: {reason: later, strict: true}, sql: SELECT 1 / 0}
invariants:
  sometimes: {xfail: {reason: none yet, strict: false}, sql: SELECT k FROM t WHERE k = 7}
require: {add: 99%}
END
echo 'CREATE TABLE t (k int PRIMARY KEY)' >known.sql
same 3 run "$DIR/known.yaml" --strict
[ "$(cat merged/status)" = 4 ] || complain "known: status $(cat merged/status)"
same 2 run "$DIR/known.yaml" --max-failures 2 --open-passing 2

# Of many examples that fail, the first runs again, and two that may be shorter.
set -- --apply sql/bugs/key_value-first-write-wins.sql --max-failures 99
examples=12
same 2 run machines/key_value.yaml "$@"
# shellcheck disable=SC2086 # words
in_folder told merge $reports_of_shards "$@" --examples $examples --no-save -v
examples=8
[ "$(grep -c '^example [0-9]*$' told/said)" = 3 ] || complain "merge runs other examples than three: $(cat told/said)"

# Mutants: killed, stillborn, accepted; survivors of one cause, a rule that kills one, a score that is too low.
cat >stock.yaml <<'END'
machine: stock
schema: stock.sql
model: stock = {}
rules:
  receive:
    args: {item: 'sampled_from(["nut", "bolt"])', n: "integers(1, 9)"}
    sql: INSERT INTO stock VALUES (:item, :n) ON CONFLICT (item) DO UPDATE SET quantity = stock.quantity + EXCLUDED.quantity
    model: stock[item] = stock.get(item, 0) + n
  ship:
    args: {item: stock, n: "integers(1, 10)"}
    sql: UPDATE stock SET quantity = quantity - :n WHERE item = :item
    raises: check_violation if n > stock[item] else None
    model: stock[item] -= n
invariants:
  quantities: {sql: "SELECT item, quantity FROM stock", expect: stock}
mutants: {"*-not-null stock.note": nobody reads it}
END
cat >stock.sql <<'END'
CREATE TABLE stock (item text PRIMARY KEY, quantity integer NOT NULL CHECK (quantity >= 0), note text NOT NULL DEFAULT 'x',
    UNIQUE (item, note));
END
same "2" mutate "$DIR/stock.yaml" --min-score 90
[ "$(cat merged/status)" = 4 ] || complain "stock: status $(cat merged/status)"
! grep -q "No rule\|In [0-9]* steps" parts/1/printed || complain "a shard says why: $(cat parts/1/printed)"
set -- parts/1/shard.json parts/2/shard.json
runs 2 merge "$@" --examples 8 --min-score 90 --rule ship
err "merge: give it the options of the shards"
cp "$1" mutants.json
sed 's/"number":1,/"number":9999,/' parts/1/shard.json >other.json
runs 2 merge other.json "$2" --examples 8 --min-score 90
err "other.json lacks mutant 1 of"
sed '/"number":1,/s/"id":"[0-9a-f]*"/"id":"00000000"/' parts/1/shard.json >other.json
runs 2 merge other.json "$2" --examples 8 --min-score 90
err "was changed: mutant 1 is"
for change in 's/"verdict":"[a-z]*"/"verdict":"x"/' 's/"verdict":"[a-z]*"/"verdict":"equivalent"/' 's/"example":[0-9]*/"example":-1/'; do
    sed "/\"mutant\",.*\"number\":3,/$change" parts/1/shard.json >other.json
    runs 2 merge other.json "$2" --examples 8 --min-score 90
    err "is not what a shard reports"
done
sed '/"mutant",.*"number":/d' parts/2/shard.json >other.json
runs 2 merge "$1" other.json --examples 8 --min-score 90
err "other.json lacks mutant 2 of"
echo 'ALTER TABLE stock ADD CHECK (quantity < 10000);' >>stock.sql
runs 2 merge "$@" --examples 8 --min-score 90
err "changed"
runs 2 mutate stock.yaml --kill 00000000 --shard 1/2 --seed 1
err "leave one of them out"

# Two schemas, and a machine that nobody wrote: random values, a difference that is expected, and another that is not.
cat >old.sql <<'END'
CREATE TABLE orders (id int PRIMARY KEY, token uuid NOT NULL DEFAULT gen_random_uuid(), total int NOT NULL, note text);
CREATE FUNCTION capped(n int) RETURNS int LANGUAGE sql RETURN n;
CREATE FUNCTION owed(n int) RETURNS int LANGUAGE sql RETURN -n;
CREATE FUNCTION noisy() RETURNS double precision LANGUAGE sql RETURN random();
END
sed 's/RETURN n/RETURN least(n, 5)/' old.sql >capped.sql
sed 's/RETURN -n/RETURN n/' capped.sql >other.sql
printf -- '- {on: "*capped", reason: capped now}\n- {on: "*gone", reason: not there}\n' >expected.yaml
for new in ${TEST_ALL:+capped} other; do
    same 2 diff '' --schema "$DIR/old.sql" --new-schema "$DIR/$new.sql" --differences "$DIR/expected.yaml" --steps "$(by_day 10 50)"
    cp merged/status "$new.status"
done
[ "$(cat capped.status other.status 2>/dev/null | tr '\n' ' ')" = "${TEST_ALL:+0 }1 " ] || complain "diff: $(cat merged/text.out)"
runs 2 merge parts/1/shard.json parts/2/shard.json --examples 8 --schema old.sql --only x
err "merge: these are reports of \`diff\`, which has no --only x"
echo "ALTER TABLE orders ADD more text;" >more.sql
"$PROGRAM" diff --schema old.sql --apply more.sql --shard 1/1 --seed 7 --examples 2 --no-save --report json=more.json >out 2>err
echo "UPDATE orders SET more = 'x';" >>more.sql
runs 2 merge more.json --examples 2 --schema old.sql --apply more.sql
err "were changed since the shards ran"
runs 2 merge parts/1/shard.json mutants.json
err "another command made it than the first report"

examples=20
same 7 run machines/items.yaml --apply sql/bugs/items-reused-id.sql

# What it refuses. The reports of the last shards are there.
set -- parts/1/shard.json parts/2/shard.json parts/3/shard.json parts/4/shard.json parts/5/shard.json parts/6/shard.json
runs 2 merge "$1" "$2" "$4" "$6"
err "machines/items.yaml: shards 3, 5, 7 of 7 are missing"
runs 2 merge "$@"
err "machines/items.yaml: shard 7 of 7 is missing"
mkdir gone
for i in 1 2 3 4 5 6 7; do
    sed 's|"machines/items.yaml"|"machines/gone.yaml"|g' parts/$i/shard.json >gone/$i.json
done
runs 2 merge gone/*.json
err "there is no file machines/gone.yaml, which the reports name; run merge in the folder in which the shards ran"
runs 2 merge "$@" parts/7/shard.json "$2"
err "shard 2 of machines/items.yaml is in two reports: "
ln -s "$top/machines" machines
ln -s "$top/sql" sql
runs 2 merge "$@" parts/7/shard.json --examples 20 --no-save
err "merge: give it the options of the shards. machines/items.yaml ran with --apply"
sed 's/"seed":7/"seed":8/' parts/7/shard.json >other.json
runs 2 merge "$@" other.json
err "it has another seed than the first report"
sed 's/"fingerprint":"./"fingerprint":"x/' parts/7/shard.json >other.json
runs 2 merge "$@" other.json
err "the file was changed"
sed 's/"files":"./"files":"x/' parts/7/shard.json >other.json
runs 2 merge "$@" other.json
err "its SQL files are not those of the first report"
sed -i 's/"files":"./"files":"x/' parts/*/shard.json
runs 2 merge "$@" parts/7/shard.json --apply sql/bugs/items-reused-id.sql --examples 20
err "SQL files of machines/items.yaml were changed since the shards ran"
runs 2 merge whole/json.out
err "machines/items.yaml is no shard; merge takes the reports of \`run --shard\`"
runs 2 merge
runs 2 merge gone.json
err "gone.json: No such file"
: >empty.json
runs 2 merge empty.json
err "empty.json: the report is empty"
echo '{"type":"begin","version":1}' >old.json
runs 2 merge old.json
err "old.json:1: another version of pgfsm wrote this report"
printf '{"type":"begin","version":2}\n{"type":"machine","path":"a","shard":{"index":9223372036854775807,"count":9223372036854775807}}\n' >huge.json
runs 2 merge huge.json
head -c 3000 parts/7/shard.json >cut.json
runs 2 merge "$@" cut.json
err "this is no event"
# Counts that are not the machine's; a failure that does not fail.
in_folder lone run machines/membership.yaml --seed 7 --examples 3 --shard 1/1 --no-save --report json=shard.json
for change in 's/"rules":{"[a-z_]*"/"rules":{"gone"/' 's/"sequence":\[[0-9]/"sequence":[99/' 's/"steps":[0-9]*/"steps":-1/' \
    's/"ways":{"/"ways":{"x/' 's/"counts":{.*}/"counts":7}/' 's/"examples":1/"examples":2/' 's/"checked":/"checked":9999999999999999999/'; do
    sed "/\"example\"/$change" lone/shard.json >other.json
    runs 2 merge other.json --examples 3 --no-save
    err "is not what a shard of this machine reports"
done
# An example that no shard reports runs now, unless the shard's time was up.
sed '/"number":2,/d' lone/shard.json >other.json
runs 0 merge other.json --examples 3 --no-save
out "ok  membership  3 examples, 150 steps"
sed -i 's/"cut_short":false/"cut_short":true/' other.json
runs 0 merge other.json --examples 3 --no-save
out "ok  membership  2 of 3 examples, 100 steps"
out "the time was up"
sed 's/"number":2,/"number":2,"failure":"invariant editors",/' lone/shard.json >flaky.json
runs 1 merge flaky.json --examples 3 --no-save
out "example 2 failed in a shard (invariant editors), and passed when it was merged: flaky.json has the failure"
left_nothing
finish
