#!/bin/sh
# Running ahead with megabytes in both directions at once. same.sh tests that running ahead changes
# nothing but the time.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

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
