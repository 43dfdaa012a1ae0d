#!/bin/sh
# A seed gives one report: full reports of every machine and every planted bug are the same when run again,
# to the letter, and with --no-pipeline; running ahead changes nothing but the time. And megabytes go both
# ways at once.
#
#   PROGRAM=… sh tests/cli/ahead.sh [SEEDS [EXAMPLES]]     how many seeds for each (1), how many examples (4)
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
seeds=${1:-1}
examples=${2:-4}
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# The report without what time decides, and without the width of columns.
timeless() { sed -E '/answers arrive together/d; s/[0-9.]+ (µs|ms|s|min)\b/T/g; s/[0-9,]+ steps\/s/S steps\/s/; s/  +/  /g'; }

# And without the keys that the schemas draw themselves, from sequences and at random, in what is said of
# rows: running ahead uses up more of a sequence.
told() {
    timeless | sed -e 's/ --no-pipeline//' -e '/^ *\(differs\|missing\|unexpected\|where\) /,/^ *$/s/[0-9][0-9]*/N/g'
}

report() { # OPTIONS...
    "$PROGRAM" run "$@" --examples "$examples" --no-save 2>&1
    echo "exit status $?"
}

same() { # WORDS...
    seed=1
    [ -n "$once" ] || report "$@" --seed "$seed" | timeless >again
    while [ "$seed" -le "$seeds" ]; do
        report "$@" --seed "$seed" >long.ahead
        report "$@" --seed "$seed" --no-pipeline >long.step_by_step
        timeless <long.ahead >ahead
        [ -n "$once" ] || [ "$seed" -gt 1 ] || cmp -s ahead again ||
            complain "$*: another report the second time: $(diff ahead again)"
        told <long.ahead >ahead
        told <long.step_by_step >step_by_step
        grep -q '^exit status [01]$' ahead || complain "$*, seed $seed: $(cat ahead)"
        cmp -s ahead step_by_step ||
            complain "$*, seed $seed: --no-pipeline gives another report: $(diff ahead step_by_step)"
        seed=$((seed + 1))
    done
}

once= # not run again with the same seed
same "$top"/machines/*.yaml "$top"/tests/bench/machines/*.yaml --stats
# What is counted behind a failure depends on how far sequences have gone: the reports alone.
once=yes
for bug in $(bugs ''); do
    same "$top/machines/$(bug_machine "$bug").yaml" --apply "$top/sql/bugs/$bug.sql"
done

cat >large.sql <<'END'
CREATE TABLE kept (id int PRIMARY KEY, body text NOT NULL);
END
cat >large.yaml <<'END'
machine: large
schema: large.sql
model: |
  kept = {}
  def body(letter, size):
    return letter * size
rules:
  echo:
    args: {letter: 'sampled_from(["a", "é", "\\"])', size: 'integers(1000000, 1200000)'}
    let: {text: 'body(letter, size)'}
    sql: SELECT :text::text
    expect: text
  put:
    args: {id: 'integers(1, 3)', letter: 'sampled_from(["x", "y"])', size: 'integers(1000000, 1200000)'}
    let: {text: 'body(letter, size)'}
    sql: |
      INSERT INTO kept (id, body) VALUES (:id, :text) ON CONFLICT (id) DO UPDATE SET body = EXCLUDED.body
      RETURNING body
    expect: text
    model: 'kept[id] = (letter, size)'
invariants:
  kept:
    sql: SELECT id, body FROM kept
    expect: '{(id, letter * size) for id, (letter, size) in kept.items()}'
END
with='timeout 100' # a deadlock would last for ever
runs 0 run large.yaml --seed 1 --examples 2 --steps 6
out "ok  large  2 examples, 12 steps"
left_nothing
finish
