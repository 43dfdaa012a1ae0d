#!/bin/sh
# A CI runner must not interpret texts of a schema as commands: not in a report, an error, a model's print, psql's
# output or with -v. The annotations of --report github are commands, and stay.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >s.sql <<'SQL'
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION E'first line\n::stop-commands::x9\n\t\u2003::add-mask::failed'
        USING DETAIL = 'a ##[error]fake ##vso[task.setvariable variable=a]b';
END $$;
SQL
cat >m.yaml <<'END'
machine: m
schema: s.sql
model: |
  print("::add-mask::printed")
rules: {a: {sql: SELECT f()}}
END
# A mistake that quotes the text in question.
printf 'machine: ::add-mask::\nrules: {"::add-mask::x\\n::add-mask::": 1}\n' >bad.yaml

# Lines that a runner would obey.
commands() { grep -e '^[[:space:]]*::.*::' -e '##[a-z]*\[' "$1" | grep -v "^::\(error\|warning\) title="; }

# FAULT: the text that must be in the output, to prove that the test works.
safe() { # STATUS FAULT WORD...
    fault=$2
    status=$1
    shift 2
    for runner in GITHUB_ACTIONS=true TF_BUILD=True TEAMCITY_VERSION=2026.1; do
        with=$runner
        runs "$status" "$@"
        cat out err >both
        holds both "$fault"
        [ -z "$(commands both)" ] || complain "$runner, $said: $(commands both)"
    done
}
for format in text tap json junit; do
    safe 1 stop-commands run --embedded --no-save --seed 1 --report "$format" m.yaml
done
safe 1 add-mask::printed run --embedded --no-save --seed 1 -vv m.yaml
safe 2 add-mask check bad.yaml
safe 0 add-mask eval 'print("::add-mask::x")'
runs 1 run --embedded --seed 1 m.yaml
safe 1 add-mask replay --embedded counterexamples/*.sql

# Escapes that JSON knows.
with=GITHUB_ACTIONS=true
runs 1 run --embedded --no-save --seed 1 --report json m.yaml
jq -r .. out | grep -qF '##[error]fake' || complain "$said: the JSON does not hold the message"

# The annotations are unchanged. Without a runner, nothing is escaped.
with=GITHUB_ACTIONS=true
runs 1 run --embedded --no-save --seed 1 --report github m.yaml
out "::error title="
runs 1 run --embedded --no-save --seed 1 m.yaml
out "##[error]fake"
out_lacks '\u003a'
finish
