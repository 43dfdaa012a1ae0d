#!/bin/sh
# Examples side by side and split between machines: --jobs and --shard change the time alone. By night ($PGFSM_TEST_ALL),
# for more machines.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
databases() { psql -qXAt --command "SELECT datname FROM pg_database ORDER BY 1"; }
before=$(databases)

# The report without the parts that depend on time, and without the words that distinguish the runs.
timeless() { sed '/^ *time of .*mean/,/^$/d; s/[0-9.]* s\([,;]\|$\)/T s\1/g; s/[0-9,]* steps\/s/S steps\/s/; s/ --shard [0-9/]*//' out; }

# The same seed gives the same report, whatever the number of connections.
same_for_all() { # machine, words
    machine=$1
    shift
    for jobs in 1 3; do
        "$PROGRAM" run "$machine" --seed 5 --jobs $jobs --stats --no-save "$@" >out 2>err
        timeless >"report.$jobs"
        if ! cmp -s report.1 "report.$jobs" || [ -s err ]; then
            complain "$machine $*: --jobs $jobs differs: $(diff report.1 "report.$jobs"; cat err)"
        fi
    done
}
same_for_all "$top/machines/membership.yaml" --examples 30
same_for_all "$top/machines/items.yaml" --apply "$top/sql/bugs/items-reused-id.sql"
same_for_all "$top/tests/bench/machines/key_value.yaml" --examples 40
if [ -n "$TEST_ALL" ]; then
    same_for_all "$top/machines/membership_two_users.yaml" --apply "$top/sql/bugs/membership-stale-user.sql"
    same_for_all "$top/machines/membership.yaml" --examples 30 --no-pipeline
fi

# A machine of many rules chooses from neighbourhoods, which the tables' foreign keys shape: each table refers to the
# one before it, in chains of three. Every rule has its turn.
{
    for i in $(seq 0 35); do
        [ $((i % 3)) = 0 ] && parent= || parent=", up integer NOT NULL REFERENCES chain_$((i - 1)) (id)"
        echo "CREATE TABLE chain_$i (id integer PRIMARY KEY$parent);"
    done
} >chains.sql
{
    printf 'machine: chains\nschema: chains.sql\nrules:\n'
    for i in $(seq 0 35); do
        columns=$([ $((i % 3)) = 0 ] && echo id || echo 'id, up')
        echo "  insert_$i:"
        echo "    args: {r: row(\"chain_$i\")}"
        echo "    sql: INSERT INTO chain_$i ($columns) SELECT $columns FROM jsonb_populate_record(NULL::chain_$i, :r)"
        echo "    raises: '[None, unique_violation]'"
        echo "  delete_$i:"
        echo "    sql: DELETE FROM chain_$i WHERE id = (SELECT min(id) FROM chain_$i)"
        echo "    raises: '[None, foreign_key_violation]'"
        echo "  read_$i: {sql: SELECT count(*) >= 0 FROM chain_$i, expect: 'True'}"
    done
} >chains.yaml
same_for_all chains.yaml --examples 60
grep -q "never ran" out && complain "rules of chains never ran: $(cat out)"

# The output of the model's print is in the order of the examples.
cat >prints.yaml <<'END'
machine: prints
model: |
  n = 0
rules:
  a:
    args: {x: "integers(0, 1000000)"}
    sql: SELECT CAST(:x AS int)
    expect: x
    model: print(x, "\n", x + 1)
END
for jobs in 1 3; do
    "$PROGRAM" run prints.yaml --seed 9 --jobs $jobs --examples 20 --steps 5 --no-save >out 2>"printed.$jobs"
done
[ "$(wc -l <printed.1)" -ge 80 ] || complain "little was printed: $(cat printed.1)"
cmp printed.1 printed.3 || complain "what the model prints depends on --jobs"

# So is the output of -v and -vv, and each example's output is contiguous.
for verbose in -v -vv; do
    for jobs in 1 3; do
        "$PROGRAM" run prints.yaml --seed 9 --jobs $jobs --examples 20 --steps 5 --no-save $verbose \
            >out 2>"told.$jobs"
    done
    [ "$(grep -c '^example ' told.1)" = 20 ] || complain "$verbose: not 20 examples: $(cat told.1)"
    [ "$(grep -c '^ *[1-5]  a(x=[0-9]*)$' told.1)" -ge 80 ] || complain "$verbose tells few steps: $(cat told.1)"
    cmp told.1 told.3 || complain "what $verbose tells depends on --jobs"
    grep -vE '^(example|  )' told.1 | cmp - printed.1 || complain "$verbose: it takes from what is printed"
done
grep -q '^        SELECT CAST(:x AS int)$' told.1 || complain "-vv tells no statements: $(cat told.1)"

# Two failures that only some examples meet, and a mistake in the model: as with one connection.
cat >two.sql <<'END'
CREATE TABLE t (x int);
CREATE FUNCTION put(x int) RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES (CASE WHEN x > 900 THEN x - 1 ELSE x END) RETURNING x';
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE sql AS 'SELECT CASE WHEN x % 50 = 49 THEN 0 ELSE 2 * x END';
END
cat >two.yaml <<'END'
machine: two
schema: two.sql
rules:
  put:
    args: {x: "integers(0, 1000)"}
    sql: SELECT put(:x)
    expect: x
  twice:
    args: {x: "integers(0, 1000)"}
    sql: SELECT twice(:x)
    expect: 2 * x
END
same_for_all two.yaml --steps 3
[ "$(grep -c '^FAIL' report.1)" = 2 ] || complain "two.yaml: $(cat report.1)"

# Sequences return the numbers of a new database, whatever ran before on the connection.
cat >stock.sql <<'END'
CREATE TABLE product (id serial PRIMARY KEY, stock int NOT NULL);
CREATE FUNCTION sell(p int, n int) RETURNS void LANGUAGE sql
    AS 'UPDATE product SET stock = stock - CASE WHEN n = 3 THEN 2 ELSE n END WHERE id = p';
END
cat >stock.yaml <<'END'
machine: stock
schema: stock.sql
model: stock = {}
rules:
  make:
    args: {n: "integers(5, 50)"}
    sql: INSERT INTO product (stock) VALUES (:n) RETURNING id
    target: products
    model: stock[result.value] = n
  sell:
    args: {p: products, n: "integers(1, 5)"}
    sql: SELECT sell(:p, :n)
    model: stock[p] -= n
invariants:
  stock: {sql: "SELECT id, stock FROM product", expect: stock}
END
same_for_all stock.yaml
grep -qF 'differs      id=products_1   stock: expected 2, actual 3' report.3 || complain "stock.yaml: $(cat report.3)"

cat >mistake.yaml <<'END'
machine: mistake
rules:
  a:
    args: {x: "integers(0, 300)"}
    sql: SELECT 1
    model: y = 1 // (x - 7)
END
for jobs in 1 4; do
    runs 2 run mistake.yaml --seed 1 --steps 10 --jobs $jobs --no-save
    cp err "mistake.$jobs"
done
cmp mistake.1 mistake.4 || complain "a mistake in the model depends on --jobs: $(diff mistake.1 mistake.4)"

# All databases of a server share its roles: two concurrent examples would wait for each other for ever, or see each
# other's roles.
cat >roles.yaml <<'END'
machine: roles
schema: stock.sql
model: made = []
rules:
  make:
    args: {name: "sampled_from(['pgfsm_test_a', 'pgfsm_test_b'])"}
    where: name not in made
    sql: CREATE ROLE :"name"
    model: made.append(name)
  drop:
    args: {name: sampled_from(made)}
    sql: DROP ROLE :"name"
    model: made.remove(name)
END
runs 0 run roles.yaml --seed 1 --jobs 3 --examples "$(by_day 10 30)" --no-save --max-time 60s
out "1 of 3 connections: there can't be more copies of the database: the machine changes roles, which all databases"
# The same if functions that pgfsm does not analyse do it: an example that ends is rolled back before the next one
# waits.
cat >make_role.sql <<'END'
CREATE FUNCTION make_role() RETURNS void LANGUAGE plpgsql AS $$ BEGIN CREATE ROLE pgfsm_test_c; END $$;
END
cat >make_role.yaml <<'END'
machine: make_role
schema: make_role.sql
settings: {steps: 5}
model: made = False
rules:
  make: {precondition: not made, sql: SELECT make_role(), model: made = True}
  drop: {precondition: made, sql: "DO 'BEGIN EXECUTE ''DROP ROLE pgfsm_test_c''; END'", model: made = False}
END
runs 0 run make_role.yaml --seed 1 --jobs 3 --examples 200 --no-save --max-time 60s
out_lacks "the time was up"

# Shards: each example in one of them.
total=0
for shard in 1 2 3; do
    runs 0 run "$top/machines/membership.yaml" --seed 5 --examples 20 --shard $shard/3 --jobs 2
    total=$((total + $(sed -n 's/^ok .* \([0-9]*\) examples.*/\1/p' out)))
done
[ "$total" = 20 ] || complain "three shards ran $total examples of 20"
# A shard that has none passes. It does not say what the whole run did not test.
runs 0 run "$top/machines/membership.yaml" --seed 5 --examples 2 --shard 3/3 --strict
out "ok  membership  0 examples, 0 steps"
out "there are fewer examples than shards"
runs 0 run "$top/machines/membership.yaml" --seed 5 --examples 2 --steps 1 --shard 1/2 --strict
out_lacks "never ran"
runs 2 run "$top/machines/membership.yaml" --shard 1/2
err "a shard needs a seed, the same for all"
runs 1 run two.yaml --seed 5 --shard 2/2 --no-save
out "run two.yaml --no-save --seed 5"
with="GITLAB_CI=true CI_NODE_INDEX=2 CI_NODE_TOTAL=2 CI_PIPELINE_ID=77"
runs 1 run two.yaml --seed auto --shard auto --no-save
err "shard 2 of 2, as GitLab says (CI_NODE_INDEX=2); seed "
runs 2 run two.yaml --seed 5 --shard auto
err "no engine numbers this job"
runs 2 run two.yaml --seed auto
err "no engine names this run"

# Interrupted or out of time: all stop.
begin run "$top/machines/membership.yaml" --examples 1000000 --jobs 3 --progress always --no-save
# shellcheck disable=SC2317 # until_true calls it
progressing() { grep -q steps err; }
until_true progressing
kill -INT $!
ends 130
runs 0 run "$top/machines/membership.yaml" --examples 1000000 --jobs 3 --max-time 1s --no-save
out "the time was up"
left_nothing
[ "$(databases)" = "$before" ] || complain "databases are left: $(databases)"
runs 0 run "$top/machines/membership.yaml" --in-place --jobs 2 --examples 3 --no-save
out "1 of 2 connections: there can't be more copies of the database: the named database is tested as it is"
# Room for few connections: as many as there is room for, with as many more as a run opens later, to confirm a failure and
# for sessions. The limit counts for all who are no superusers.
psql -qX --command "CREATE ROLE crowded LOGIN CREATEDB"
crowd() { # CONNECTIONS, how many examples run side by side, words of the run
    psql -qX --command "ALTER ROLE crowded CONNECTION LIMIT $1"
    wanted=$2
    shift 2
    for jobs in 1 8; do
        status=0
        said="pgfsm run -U crowded --jobs $jobs $*"
        "$PROGRAM" run -U crowded --seed 5 --jobs $jobs --no-save "$@" >out 2>err || status=$?
        timeless | sed '/warning  *[0-9] of 8 connections: .*too many connections for role/d' >"report.$jobs"
    done
    cmp -s report.1 report.8 || complain "$said: differs: $(diff report.1 report.8; cat err)"
    [ "$status" -le 1 ] || complain "$said: exit status $status"
    out "$wanted of 8 connections: there can't be more copies of the database: "
    out 'too many connections for role "crowded"'
    [ "$(databases)" = "$before" ] || complain "$said: databases are left: $(databases)"
}
crowd 3 1 "$top/machines/items.yaml" --apply "$top/sql/bugs/items-reused-id.sql"
crowd 9 1 "$top/machines/items.yaml" --commit --examples "$(by_day 2 4)" --steps "$(by_day 3 5)"
if [ -n "$TEST_ALL" ]; then
    crowd 7 2 "$top/machines/items.yaml" --apply "$top/sql/bugs/items-reused-id.sql"
    crowd 20 2 "$top/machines/items.yaml" --sessions 2 --examples 4 --steps 5
fi
finish
