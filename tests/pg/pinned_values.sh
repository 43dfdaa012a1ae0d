#!/bin/sh
# Failures with arguments of every kind, pinned (pinned_kind.sh).
set -eu

. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/pinned_kind.sh"
server_start socket
cd "$SERVER_DIR"

# The bug is in the function `take`. The databases are created only once, because a scratch database for each run would
# take most of the time.
cat >values.sql <<'SQL'
CREATE FUNCTION take(what text) RETURNS bool LANGUAGE sql AS 'SELECT false';
CREATE TABLE things (id uuid DEFAULT gen_random_uuid());
CREATE FUNCTION thing() RETURNS uuid LANGUAGE sql AS 'INSERT INTO things DEFAULT VALUES RETURNING id';
SQL
createdb broken
psql -qX --set ON_ERROR_STOP=1 --dbname broken --file values.sql
createdb --template broken right
psql -qX --set ON_ERROR_STOP=1 --dbname right \
    -c "CREATE OR REPLACE FUNCTION take(what text) RETURNS bool LANGUAGE sql AS 'SELECT true'"

# value STRATEGY WHEN: a rule whose argument x is drawn from the strategy fails if WHEN is true for x, so that shrinking
# ends at that value.
value() {
    cat >value.yaml <<YAML
machine: value
model: |
  seen = {}
  def pair(a, b):
      return {"a": a, "b": b}
rules:
  make:
    sql: SELECT thing()
    target: things
  keep:
    sql: SELECT thing()
    target: seen
  use:
    args:
      x: >-
        $1
    where: >-
      $2
    sql: SELECT take(:text)
    let: {text: repr(x)}
    expect: True
YAML
    pasted value.yaml -d broken
    run 0 pasted.yaml --examples 0 -d right
}

value 'text()' "'\"' in x"
value 'text()' "'\\\\' in x"
value 'text()' "len(x) > 0 and x[0] < ' '"
value 'text(alphabet="\u061c\u202e\u2028é‮", min_size=3)' 'True'
value 'text(min_size=150)' 'True'
value 'none() | booleans()' 'x == True'
value 'integers(min_value=-10000000000000000000000000, max_value=1000000000000000000000000)' 'x < -10000'
value 'floats()' 'str(x).lower() == "nan"'
value 'floats()' 'x > 1 and x < 2'
value 'floats(width=32)' 'x > 1.1 and x < 2'
value 'decimals(0, 100, places=3)' 'x > 7.5'
value 'decimals(allow_nan=True, allow_infinity=True)' 'str(x).lower() == "nan"'
value 'binary(min_size=2)' 'x[0] > 200'
value 'dates()' "x > '2020-01-01'"
value 'times()' "x > '12:00:00.5'"
value 'datetimes()' "x > '2020-01-01 12:00:00'"
value 'uuids()' "x > '7'"
value 'lists(text(max_size=3), unique=True)' 'len(x) > 2'
value 'sets(integers(0, 9))' 'len(x) > 2'
value 'dictionaries(text(max_size=2), lists(integers(0, 9)))' 'len(x) > 1 and len(list(x.values())[0]) > 1'
value 'tuples(integers(), none())' 'x[0] > 300'
value 'things' 'len(things) > 1 and x == list(things)[1]'
value 'consumes(things)' 'len(things) > 1'
value 'seen' 'len(seen) > 1 and x == list(seen)[1]'
value 'lists(things, min_size=2, max_size=2)' 'x[0] != x[1]'
value 'dictionaries(things, things, min_size=1)' 'True'
value 'things.map(lambda t: [t, t])' 'True'
value 'builds(pair, things, integers())' "x['b'] > 5000"
value 'text().map(lambda t: t + "!")' 'len(x) > 3'
value 'integers(0, 9).flatmap(lambda n: lists(just(n), min_size=n, max_size=n))' 'len(x) > 4'
value 'just(7) | sampled_from(["a", 1, 2.50])' 'x == 2.5'
exit "$failed"
