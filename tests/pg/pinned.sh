#!/bin/sh
# What a failure prints can be pasted under examples: as it stands. It fails again in the same way, under
# its name, and in full; and holds once the bug is gone.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR"
mkdir machines
cp -r "$top/sql" "$top/tests/bench" .
failed=0

complain() {
    echo "FAILED: $1"
    cat report
    failed=1
}

# The steps of the report's first failure, without their numbers.
steps() {
    awk '/^(FAIL|FLAKY)/ { seen++ } seen == 1 && /^     [^ ]/ { exit }
         seen == 1 && /^ +[0-9]+  / { sub(/^ +[0-9]+  /, ""); print }' "$1"
}

# run STATUS MACHINE OPTION...: into `report`.
run() {
    wanted=$1
    shift
    status=0
    "$PROGRAM" run "$@" --no-save >report 2>&1 || status=$?
    [ "$status" = "$wanted" ] || complain "$*: exit status $status, not $wanted"
}

# pasted MACHINE [OPTION...]: found, pasted into pasted.yaml beside it, and failing again.
pasted() {
    machine=$1
    shift
    echo "$machine $*"
    run 1 "$machine" --seed 4 -v --examples 1000 "$@"
    sed -n '/^FAIL/{p;q;}' report >headline
    steps report >found
    [ -s found ] || complain "no steps"
    grep -q '^  pin ' report || complain "nothing on how to pin it"
    pinned=$(dirname "$machine")/pasted.yaml
    {
        cat "$machine"
        printf '\nexamples:\n  - name: "it''s pasted"\n    steps: |\n'
        sed 's/^/      /' found
    } >"$pinned"
    run 1 "$pinned" --examples 0 -v "$@"
    sed -n '/^FAIL/{p;q;}' report >headline-again
    steps report >found-again
    diff headline headline-again || complain "it fails in another way"
    diff found found-again || complain "other steps"
    grep -q "^  pinned example 'it.*s pasted'" report || complain "not under its name"
    ! grep -q '^  pin ' report || complain "it is pinned already"
    ! grep -q '^  a .* form:' report || complain "it is as short as can be"
}

# planted MACHINE BUG: and it holds without the bug.
planted() {
    cp "$top/machines/$1.yaml" machines
    pasted "machines/$1.yaml" --apply "sql/bugs/$2.sql"
    run 0 machines/pasted.yaml --examples 0
    status=0
    "$PROGRAM" run machines/pasted.yaml --last-failed --apply "sql/bugs/$2.sql" --out out >report 2>&1 ||
        status=$?
    [ "$status" = 1 ] || complain "--last-failed: exit status $status, not 1"
    [ -z "$(find .pgfsm -type f 2>/dev/null)" ] || complain "the example database keeps it"
}

planted membership membership-editor-shadow
planted membership membership-wrong-row
planted membership membership-count-cache
planted membership_two_users membership-stale-user
planted items items-soft-delete
planted items items-reused-id
for machine in bench/machines/*.yaml; do
    pasted "$machine"
done

# Values of every kind; the bug is in the schema's function `take`.
cat >values.sql <<'SQL'
CREATE FUNCTION take(what text) RETURNS bool LANGUAGE sql AS 'SELECT false';
CREATE TABLE things (id uuid DEFAULT gen_random_uuid());
CREATE FUNCTION thing() RETURNS uuid LANGUAGE sql AS 'INSERT INTO things DEFAULT VALUES RETURNING id';
SQL
echo "CREATE OR REPLACE FUNCTION take(what text) RETURNS bool LANGUAGE sql AS 'SELECT true';" >fix.sql

# value STRATEGY WHEN: a rule whose argument x is drawn from the strategy fails where WHEN is true of it,
# so that shrinking ends there.
value() {
    cat >value.yaml <<YAML
machine: value
schema: values.sql
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
    pasted value.yaml
    run 0 pasted.yaml --examples 0 --apply fix.sql
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
