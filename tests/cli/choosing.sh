#!/bin/sh
# The choices of a run: profiles, a seed from the machine's name, rules by pattern; labels and their
# requirements.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >words.yaml <<'END'
machine: words
settings: {examples: 3, steps: 20}
profiles:
  ci: {seed: 11, examples: 4}
  nightly: {examples: 6}
model: n = 0
rules:
  put_even: {sql: SELECT 1, model: n += 2, label: '"big" if n > 10 else "small"'}
  put_odd: {sql: SELECT 1, model: n += 1, label: 'None'}
  fail: {sql: SELECT 1 / 0, raises: division_by_zero, label: '"denied"'}
require: {put_even: 5%, label denied: 1%, label big: 0%}
END
runs 0 run words.yaml --profile ci
out "ok  words  4 examples"
out "seed 11"
runs 0 run words.yaml --profile ci --examples 2 --seed 5
out "ok  words  2 examples"
out "seed 5"
runs 2 run words.yaml --profile night
err "words has no profile 'night'; it has: ci, nightly"

# The name gives the seed: the same each time, another one for another machine.
runs 0 run words.yaml --derandomize
cp out first
runs 0 run words.yaml --derandomize
[ "$(sed 's/.*seed//' first)" = "$(sed 's/.*seed//' out)" ] || complain "$said: $(cat first out)"
runs 0 run words.yaml --derandomize --seed 7
out "seed 7"

# Rules by pattern. Rules that the pattern excludes are not reported as untested.
runs 0 run words.yaml --rule 'put_*' --rule fail --stats --seed 1
runs 0 run words.yaml --rule 'put_even' --stats --seed 1
grep -qE '^ *put_even +60 +60' out || complain "$said: $(cat out)"
grep -qE '^ *put_odd +0 +0$' out || complain "$said: $(cat out)"
out_lacks "never ran"
runs 2 run words.yaml --rule 'get_*'
[ ! -s out ] || complain "$said: a report of a run that was none: $(cat out)"
err "words has no rule whose name matches 'get_*'; it has: "

# Invariants by pattern: only they are checked, and those left out are not reported as untested.
cat >some.yaml <<'END'
machine: some
rules: {tick: {sql: SELECT 1}}
invariants:
  wrong: {sql: SELECT 1, expect: 2}
  right_1: {sql: SELECT 1, expect: 1}
  right_2: {sql: SELECT 2, expect: 2}
END
runs 1 run some.yaml --seed 1 --no-save
runs 0 run some.yaml --seed 1 --no-save --invariant 'right_*' --report json
grep -q '"name":"wrong","outcome":"skipped","message":"not chosen: --invariant leaves it out".*"count":0' out ||
    complain "$said: $(cat out)"
out_lacks '"type":"warning"'
out_lacks 'never checked'
runs 1 run some.yaml --seed 1 --no-save --invariant right_1 --invariant 'wr?ng'
out "run some.yaml"
out "--invariant right_1 --invariant 'wr?ng'"
runs 2 run some.yaml --invariant 'left_*'
err "some has no invariant whose name matches 'left_*'; it has: wrong, right_1, right_2"

# A failure is not shrunk to rules that were left out.
cat >left.yaml <<'END'
machine: left
model: n = 0
rules:
  left_out: {sql: SELECT 1, model: n += 1}
  chosen: {sql: SELECT 1, model: n += 1}
invariants: {few: {check: n < 3}}
END
runs 1 run left.yaml --rule chosen --seed 1 --no-save
out "1-3> chosen()"
out_lacks "left_out()"

# Labels are counted, and required.
runs 0 run words.yaml --rule fail --stats --seed 1
grep -qE '^ *denied +60$' out || complain "$said: $(cat out)"
sed 's/label denied: 1%/label denied: 90%/; s/put_even: 5%/put_even: 0%/' words.yaml >much.yaml
runs 4 run much.yaml --seed 1
out "unmet  words  3 examples"
out "a requirement is not met: label denied: "
grep -qE 'unmet +label denied: [0-9]+ of 60 steps, [0-9.]+%; 90% is required' out || complain "$said: $(cat out)"
sed 's/"denied"/3/' words.yaml >number.yaml
runs 2 run number.yaml --seed 1
err "number.yaml:10:"
err "label must give a string or None, not a value of type int"
finish
