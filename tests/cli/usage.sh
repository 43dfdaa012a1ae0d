#!/bin/sh
# Valid and invalid command lines and their messages. Uses no database.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >good.yaml <<END
machine: good
model: |
  n = 2
rules:
  add:
    args: {k: "integers(1, 3)"}
    sql: SELECT :k::int
    target: ids
    model: n += k
invariants:
  positive:
    check: n > 0
    sql: SELECT 1
END
cat >bad.yaml <<END
machine: bad
rules:
  add:
    argz: {k: "integers(1, 3)"}
    sql: SELECT :nothing
END

runs 2
out "pgfsm run FILE..."
runs 0 help
out "pgfsm check FILE..."
runs 0 --help
out "pgfsm run FILE..."
runs 0 help run
out "--max-time TIME"
out "pgfsm run machines/*.yaml"
out "Exit status"
runs 0 run --help
out "--max-time TIME"
runs 0 eval '-?'
out "--machine FILE"
runs 0 -h
out "pgfsm run FILE..."
runs 0 -h run
out "--max-time TIME"
runs 0 run -h
out "--max-time TIME"
runs 0 check good.yaml -h
out "every mistake"
runs 0 eval -h
out "--machine FILE"
# The help of replay names each option that scripts don't take.
: >some.sql
"$PROGRAM" help replay >all
sed '/^Database$/,$d' all >described
sed -nE 's/^  (-., |    )--([a-z-]+).*/--\2/p' all >options
while read -r option; do
    for given in "$option" "$option=1"; do
        "$PROGRAM" replay some.sql "$given" >out 2>err </dev/null || true
        ! grep -q "is for traces" err || grep -qw -e "$option" described || complain "help replay does not name $option"
    done
done <options
commands=$("$PROGRAM" complete '' | cut -f1)
[ "$(echo "$commands" | wc -l)" -gt 8 ] || complain "the commands: $commands"
for command in $commands; do
    runs 0 help "$command"
    mv out said_by_help
    runs 0 "$command" --help
    cmp out said_by_help || complain "$said differs from 'help $command'"
    out "pgfsm $command: "
done
runs 0 complete -- cache --
out "$(printf -- '--help\tprint this help')"
for command in manual complete; do # not for people
    runs 2 help $command
    err "there is no command '$command'"
done
runs 2 run -p
err "-p needs a value: -p PORT"
runs 2 help rnu
err "did you mean 'run'?"
runs 2 help foo
err "there is no command 'foo'; '"
err " help' lists them"
runs 2 help good.yaml
err "run good.yaml"

# The words of other tools.
while read -r word command; do
    runs 2 "$word" good.yaml
    err "there is no command '$word'; did you mean '$command'?"
done <<END
test run
verify run
lint check
mutation mutate
reproduce replay
new init
ls list
END
runs 2 run --version
err "there is no option --version; \`pgfsm version\` prints it"
runs 2 run -k add good.yaml
err "there is no option -k; pgfsm calls it --rule GLOB"
runs 2 run --maxfail=1 good.yaml
err "there is no option --maxfail; a run ends by itself soon after its first failure"
runs 2 check --max-examples 3 good.yaml
err "there is no option --max-examples; pgfsm calls it --examples N, which another command has"
runs 2 run -seed 3 good.yaml
err "there is no option -seed; did you mean --seed?"
runs 0 --version
out "pgfsm "
out "PostgreSQL 14 to 18"

runs 2 rum x.yaml
err "there is no command 'rum'; did you mean 'run'?"
runs 2 good.yaml
err "run good.yaml"
runs 2 --seed 3 run good.yaml
err "options come after a command"

runs 2 run
err "run FILE..."
runs 2 run --exampels 3 good.yaml
err "there is no option --exampels; did you mean --examples?"
runs 2 run --examples many good.yaml
err "--examples must be a whole number from 0 up, not 'many'"
for shard in 0/2 3/2 1 1/ /2 1/0 a/b 1/2/3; do
    runs 2 run --shard "$shard" good.yaml
    err "--shard must be I/N, from 1/4 to 4/4 for example, or auto, not '$shard'"
done
runs 2 run --ways all --report text --report tap=report.tap good.yaml
err "--ways only counts failures; its report is text, not tap=report.tap"
runs 2 run --report xml good.yaml
err "there is no report format 'xml'; the formats are: "
runs 2 run --embedded -d app good.yaml
err "--embedded and -d exclude each other"

runs 2 run missing.yaml
err "missing.yaml"
err "No such file"
err_lacks "did you mean"
runs 2 run good.yml
err "can't open good.yml: No such file or directory"
err "hint: did you mean good.yaml?"
runs 2 run "$PWD/good"
err "hint: did you mean $PWD/good.yaml?"
runs 2 check goof.yaml
err "hint: did you mean good.yaml?"
runs 2 eval -f god.yaml
err "did you mean good.yaml?"
mkdir -p orders
runs 2 orders
err "run orders"

# Files that are no machine.
: >schema.sql
: >failure.trace
for command in run check list; do
    runs 2 $command schema.sql
    err "schema.sql:1:1: error: this is SQL, not a machine"
    err "pgfsm init --schema FILE"
done
runs 2 run failure.trace
err "\`pgfsm replay\` runs it again"
runs 2 replay good.yaml
err "run good.yaml"
sed 's/^model:/schema: schem.sql\nmodel:/' good.yaml >near.yaml
runs 2 check near.yaml
err "hint: did you mean schema.sql?"
rm near.yaml
runs 2 check missing.yaml
mkdir -p machines/more empty
cp good.yaml machines/b.yaml
cp good.yaml machines/a.yml
cp bad.yaml machines/more/bad.yaml
echo 'services: {db: {image: postgres}}' >machines/compose.yaml
echo 'no yaml' >machines/readme.txt
runs 0 check machines
out "ok  machines/a.yml"
out "ok  machines/b.yaml"
out_lacks compose
runs 0 check machines/
out "ok  machines/a.yml"
runs 2 check machines/more machines
err "machines/more/bad.yaml:4:5"
out "ok  machines/b.yaml"
runs 2 check empty
err "check: there is no machine in empty: a machine is a .yaml or .yml file with a line \`machine: NAME\`"
runs 2 run empty
err "run: there is no machine in empty"
runs 0 check good.yaml
out "ok  good.yaml  1 rule, 1 invariant"
left_nothing
runs 0 check -q good.yaml
out_lacks ok
runs 2 check good.yaml bad.yaml
out "ok  good.yaml"
err "bad.yaml:4:5: error:"
err "did you mean 'args'?"
err "bad.yaml:5"

runs 0 eval '1 + 1'
out 2
runs 0 eval 'x = [n * n for n in range(4)]
print("x", x)
x[-1]'
out "x [0, 1, 4, 9]"
out 9
runs 0 eval 'None'
out_lacks None
runs 2 eval '1 +'
err "<argument>:1:"
runs 2 eval 'fail("no luck")'
err "no luck"
runs 2 eval 1 2
err "one expression only"
runs 0 eval -m good.yaml 'n + 1'
out 3
# A bundle is a list there, as in a run: before the first step an empty one.
runs 0 eval -m good.yaml '[type(ids), ids == [], ids + [1], json.encode({"ids": ids}), type(ids.map(str))]'
out '["list", True, [1], "{\"ids\":[]}", "strategy"]'
runs 0 eval -m good.yaml 'type(consumes(ids) | just(ids))'
out '"strategy"'
runs 2 eval -m good.yaml 'ids.append(1)'
err "a bundle can't be changed by the model"
printf 'print("file")\n"last"\n' >program.star
runs 0 eval -f program.star
out file
out '"last"'
runs 2 eval -f missing.star
err "missing.star"
said="pgfsm eval from standard input"
echo 'sum([1, 2, 3])' | "$PROGRAM" eval >out 2>err
out 6

export PGFSM_EXAMPELS=1000
runs 0 check good.yaml
err "pgfsm: warning: PGFSM_EXAMPELS is ignored; did you mean PGFSM_EXAMPLES?"
unset PGFSM_EXAMPELS

runs 0 schema
out '"https://json-schema.org/draft/2020-12/schema"'
out '"invariants"'

# Standard output that takes no more is no success.
for command in version help 'eval 1' schema 'check good.yaml'; do
    said="pgfsm $command >/dev/full"
    status=0
    # shellcheck disable=SC2086 # words
    "$PROGRAM" $command >/dev/full 2>err || status=$?
    [ "$status" = 2 ] || complain "$said: exit status $status, not 2"
    err "cannot write to standard output: No space left on device"
    said="pgfsm $command >&-"
    status=0
    # shellcheck disable=SC2086
    "$PROGRAM" $command >&- 2>err || status=$?
    [ "$status" = 2 ] || complain "$said: exit status $status, not 2"
done
finish
