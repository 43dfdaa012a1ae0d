#!/bin/sh
# The exit statuses that `help COMMAND` lists are those that the command has.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo 'CREATE TABLE t (n int CHECK (n < 5));' >schema.sql
sed 's/5/7/' schema.sql >loose.sql
# shellcheck disable=SC2016 # for psql
printf '%s\n' '\! touch loading' '\set seconds `[ -e awake ] && echo 0 || echo 90`' 'SELECT pg_sleep(:seconds);' |
    cat - schema.sql >slow.sql
cat >holds.yaml <<END
machine: holds
schema: schema.sql
rules:
  add: {args: {n: "integers(1, 9)"}, sql: INSERT INTO t VALUES (:n), raises: "check_violation if n > 4 else None"}
END
sed 's/machine: holds/machine: fails/; s/n > 4/n > 7/' holds.yaml >fails.yaml
sed 's/schema.sql/slow.sql/' holds.yaml >slow.yaml
cat >never.yaml <<END
machine: never
model: n = 0
rules:
  add: {sql: SELECT 1, expect: 1, model: n += 1}
  none: {precondition: n < 0, sql: SELECT 1}
END
echo 'machine: wrong' >wrong.yaml
nowhere="-h /nowhere"

# has STATUS COMMAND [WORD...]
has() {
    runs "$@"
    noted "$1" "$2"
}

noted() {
    echo "$2 $1" >>seen
    "$PROGRAM" help "$2" | grep -qE "^  $1 +[^ ]" || complain "help $2 does not list $1"
}

# has_interrupted COMMAND [WORD...]: on the embedded server, while it loads a schema that takes long.
has_interrupted() {
    rm -f loading
    begin "$@"
    until_true test -e loading
    kill -s INT $!
    ends 130
    noted 130 "$1"
}

has 0 run holds.yaml --seed 1 --no-save
has 1 run fails.yaml --seed 1
has 2 run wrong.yaml
# shellcheck disable=SC2086 # words
has 3 run holds.yaml $nowhere
has 4 run never.yaml --strict -q
out '; a rule never ran, which --strict does not allow: '
has 5 run never.yaml --examples 0
has_interrupted run slow.yaml

has 1 replay counterexamples/fails-*.sql
has 1 replay .pgfsm/fails/*.trace
has 0 show fails-add-23514-t_n_check-t
has 2 show nothing
# shellcheck disable=SC2086
has 3 show fails-add-23514-t_n_check-t $nowhere
has_interrupted show fails-add-23514-t_n_check-t --apply slow.sql
cp fails.yaml unpinned
has 0 pin fails-add-23514-t_n_check-t
has 2 pin nothing
cp unpinned fails.yaml
sed -i 's/n > 7/n > 4/' fails.yaml
has 0 replay .pgfsm/fails/*.trace
has 2 replay missing.sql
# shellcheck disable=SC2086
has 3 replay counterexamples/fails-*.sql $nowhere
sed '/^.echo 1/r slow.sql' counterexamples/fails-*.sql >counterexamples/slow.sql
has_interrupted replay counterexamples/slow.sql
sed -i 's/n > 4/n > 7/' fails.yaml

has 0 diff holds.yaml --new-schema schema.sql --seed 1 --examples 2
has 1 diff holds.yaml --new-schema loose.sql --seed 1 --examples 10
has 2 diff holds.yaml
# shellcheck disable=SC2086
has 3 diff holds.yaml --new-schema schema.sql $nowhere
has 4 diff never.yaml --new-schema schema.sql --strict
has 5 diff never.yaml --new-schema schema.sql --examples 0
has_interrupted diff slow.yaml --new-schema schema.sql

echo 'ALTER TABLE t ADD COLUMN m int' >quick.sql
{ echo "SET lock_timeout = '1s';" && cat quick.sql; } >short.sql
has 0 locks holds.yaml --migrate short.sql
has 1 locks holds.yaml --migrate quick.sql
has 2 locks holds.yaml
# shellcheck disable=SC2086
has 3 locks holds.yaml --migrate quick.sql $nowhere
has_interrupted locks slow.yaml --migrate quick.sql

part() { # NAME OPTION...
    name=$1
    shift
    "$PROGRAM" run "$name.yaml" --seed 1 --shard 1/1 --no-save --report json="$name.json" "$@" >out 2>err </dev/null
}
part holds
has 0 merge holds.json
part fails
has 1 merge fails.json
has 2 merge
# shellcheck disable=SC2086
has 3 merge holds.json $nowhere
part never
has 4 merge never.json --strict
part never --examples 0
has 5 merge never.json --examples 0
touch awake
part slow
rm awake
has_interrupted merge slow.json

has 0 mutate holds.yaml --jobs 1
has 0 mutate holds.yaml --list
has 1 mutate fails.yaml --jobs 1 --seed 1
has 2 mutate wrong.yaml
# shellcheck disable=SC2086
has 3 mutate holds.yaml $nowhere
has 4 mutate holds.yaml --jobs 1 --min-score 100
has 5 mutate never.yaml --jobs 1
has_interrupted mutate slow.yaml

has 0 check holds.yaml
has 2 check wrong.yaml
# shellcheck disable=SC2086
has 3 check holds.yaml $nowhere
has 4 check never.yaml --strict
has_interrupted check --embedded slow.yaml

has 0 init --schema schema.sql
has 2 init missing
# shellcheck disable=SC2086
has 3 init --schema schema.sql $nowhere
has_interrupted init --schema slow.sql

has 0 eval '1 + 1'
has 2 eval '1 +'
mkfifo pipe
said="pgfsm eval <pipe"
env --default-signal=INT,QUIT "$PROGRAM" eval <pipe >out 2>err &
exec 9>pipe
until_true grep -q '^State:.*sleeping' /proc/$!/status
kill -s INT $!
ends 130
noted 130 eval
exec 9>&-

has 0 expand holds.yaml
has 2 expand wrong.yaml
has 0 list holds.yaml
has 2 list wrong.yaml
noted 130 list # between two files
for command in schema cache version help; do
    has 0 $command
    has 2 $command --no-such-option
done

# And no others.
for command in $("$PROGRAM" complete '' | cut -f1); do
    "$PROGRAM" help "$command" | sed -nE "s/^  ([0-9]+) +[^ ].*/$command \\1/p"
done | sort -u >listed
sort -u seen | diff - listed || complain "listed (right), but not seen (left)"
left_nothing
finish
