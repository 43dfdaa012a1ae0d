#!/bin/sh
# --stats: the measurements, and the parts of the schema that were used according to the server's
# counters.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >app.sql <<'EOF'
CREATE ROLE stats_app;
CREATE ROLE stats_other;
CREATE SCHEMA audit;
CREATE TABLE item (id int PRIMARY KEY, owner text DEFAULT 'a');
CREATE TABLE audit.log (item int, at text) PARTITION BY LIST (item);
CREATE TABLE audit.log_all PARTITION OF audit.log DEFAULT;
CREATE TABLE forgotten (id int REFERENCES item);
CREATE TABLE undone (id int);
CREATE FUNCTION logged() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN INSERT INTO audit.log VALUES (NEW.id, 'now'); RETURN NEW; END$$;
CREATE FUNCTION unused_trigger() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$;
CREATE TRIGGER logs AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION logged();
CREATE FUNCTION add_item(id int) RETURNS int LANGUAGE plpgsql AS
    $$BEGIN INSERT INTO item VALUES (id); RETURN id; END$$;
-- The server hands its counters on at the transaction's end, if it has not done so for a second; from PostgreSQL 15
-- on it can be told to.
CREATE FUNCTION early() RETURNS int LANGUAGE plpgsql AS
    $$BEGIN PERFORM pg_stat_force_next_flush(); RETURN 1; EXCEPTION WHEN undefined_function THEN RETURN 1; END$$;
CREATE FUNCTION never(int, b text) RETURNS int LANGUAGE plpgsql AS $$BEGIN RETURN 1; END$$;
CREATE FUNCTION refuses() RETURNS int LANGUAGE plpgsql AS
    $$BEGIN INSERT INTO undone VALUES (1); RAISE 'no'; END$$;
CREATE FUNCTION owned() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT count(*) FROM item';
ALTER FUNCTION owned() OWNER TO stats_other;
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE sql STABLE AS 'SELECT 2 * x';
ALTER TABLE item ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON item FOR SELECT TO stats_app USING (true);
CREATE POLICY adds ON item FOR INSERT TO stats_app WITH CHECK (true);
CREATE POLICY removes ON item FOR DELETE TO stats_app USING (true);
CREATE POLICY by_definer ON item FOR SELECT TO stats_other USING (true);
CREATE POLICY nobody ON item FOR SELECT TO pg_monitor USING (true);
CREATE POLICY sleeping ON undone USING (true);
GRANT ALL ON ALL TABLES IN SCHEMA public TO stats_app, stats_other;
GRANT USAGE ON SCHEMA audit TO stats_app;
GRANT ALL ON ALL TABLES IN SCHEMA audit TO stats_app;
EOF
cat >app.yaml <<'EOF'
machine: app
schema: app.sql
model: |
  n = 0
rules:
  add:
    as: {role: stats_app}
    sql: SELECT add_item(:n), twice(:n), owned()
    model: n += 1
    target: items
    returns: n
  look:
    as: {role: stats_app}
    args: {item: items}
    precondition: n > 2
    sql: SELECT count(*) FROM item
    expect: n
  refuse:
    sql: SELECT refuses()
    raises: raise_exception
  early: {weight: 0 * n, sql: SELECT early()} # in the pinned example alone, before all others
examples:
  - {name: first, steps: early()}
invariants:
  small: {sql: SELECT 1 WHERE 1 > 2, expect: "[]"}
EOF

forget_roles() { psql -qX --command 'DROP ROLE stats_app, stats_other' || complain 'the roles are in use'; }

touched() { # KIND TOUCHED OF
    grep -qE "^ +$1 +$2 +$3\$" out || {
        complain "$said: not $2 of $3 $1"
        show
    }
}

# More examples than one transaction holds, and several connections: their counts are added. If steps are committed, the
# restoring of the database does not count.
forms='--jobs=1 --jobs=2 --commit'
[ "$(psql -qXAt --command 'SHOW server_version_num')" -ge 150000 ] || forms='--jobs=1 --jobs=2'
for form in $forms; do
    runs 0 run app.yaml --stats --seed 4 --examples 120 --steps 10 "$form" --no-save
    touched functions 3 6
    touched 'trigger functions' 1 2
    touched tables 4 5
    touched policies 3 6
    out 'never touched  function never(integer, b text)'
    out 'never touched  function refuses()' # it never returned
    out 'never touched  function twice(x integer): unless the server inlined it into what calls it'
    out 'never touched  trigger function unused_trigger()'
    out 'never touched  table forgotten'
    out_lacks 'table undone' # the rollback of the step takes nothing back
    out_lacks 'table audit.log'
    out 'never touched  policy removes on item: nothing was deleted'
    out 'never touched  policy nobody on item: no statement ran as somebody for whom it holds'
    out 'never touched  policy sleeping on undone: row security is off for its table'
    out 'bundle at the end'
    out 'no times: answers arrive together; use --no-pipeline to time each step'
    out_lacks 'time of'
    grep -qE '^ +10 +120 +#+$' out || complain "no lengths: $(cat out)"
    forget_roles
done

# Times are shown only if the run waits for each answer.
runs 0 run app.yaml --stats --seed 4 --examples 3 --no-pipeline --no-save
grep -qE '^ +time of +mean +95 % below$' out || complain "no times: $(cat out)"
out_lacks 'no times'
forget_roles

# Functions that are no longer called.
sed 's/, owned()//' app.yaml >less.yaml
runs 0 run less.yaml --stats --seed 4 --examples 3 --steps 10 --no-save
out 'never touched  function owned()'
out 'never touched  policy by_definer on item'
touched functions 2 6
forget_roles

# Without --stats, no queries are sent and no settings are changed.
runs 0 run app.yaml --seed 4 --examples 3 --no-save
out_lacks touched
forget_roles

# A user who is not allowed to enable function counters is told so. Uses a named database in place.
psql -qX <<'EOF'
CREATE ROLE stats_plain LOGIN;
CREATE TABLE seen (id int);
GRANT ALL ON seen TO stats_plain;
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';
EOF
printf 'machine: named\nrules:\n  put: {sql: INSERT INTO seen VALUES (1)}\n' >named.yaml
runs 0 run named.yaml -U stats_plain --stats --examples 2 --no-save
out 'functions are not counted: track_functions is none, and stats_plain may not set it'
touched tables 1 1
out_lacks 'function f()'
psql -qX --command "ALTER ROLE stats_plain SET track_functions = 'all'"
runs 0 run named.yaml -U stats_plain --stats --examples 2 --no-save
out 'never touched  function f()'

# The counts survive a restart of the outer transaction, which happens every 150 examples.
cat >anew.sql <<'EOF'
CREATE TABLE at_first (n int);
CREATE TABLE always (n int);
CREATE FUNCTION begin_it() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO at_first VALUES (1);
    PERFORM pg_stat_force_next_flush();
EXCEPTION WHEN undefined_function THEN
    INSERT INTO at_first VALUES (1);
END
$$;
EOF
cat >anew.yaml <<'EOF'
machine: anew
model: never = 0
schema: anew.sql
rules:
  begin_it: {weight: never, sql: SELECT begin_it()}
  go_on: {sql: INSERT INTO always VALUES (1)}
examples:
  - {name: the first, steps: begin_it()}
EOF
for jobs in 1 2; do
    runs 0 run anew.yaml --stats --seed 1 --examples 400 --steps 2 --no-save --jobs $jobs
    touched tables 2 2
    touched functions 1 1
done

# Unused parts are reported only if examples were generated and completed `initialize`.
says_nothing_of_it() {
    for words in 'never ran' 'never checked' unmet 'always fails' 'mostly fails' 'dead end'; do
        out_lacks "$words"
    done
}
cat >little.yaml <<'EOF'
machine: little
model: n = 0
require: {label big: 50%, b: 1%}
rules:
  a: {sql: SELECT 1, model: n += 1, label: '"small"'}
  b: {sql: SELECT 2, precondition: n > 500}
invariants:
  x: {sql: SELECT 1, expect: 1 if n < 30 else 2}
  y: {sql: SELECT 1, expect: 1, precondition: n > 500}
examples:
  - {name: one, steps: a()}
EOF
runs 0 run little.yaml --examples 0 --strict --seed 1
says_nothing_of_it
runs 1 run little.yaml --seed 1 --examples 3
out 'never ran      b: '
out 'unmet          label big: 0 of '
runs 1 run little.yaml --last-failed --strict --seed 1
says_nothing_of_it
sed -i 's/ if n < 30 else 2//' little.yaml
runs 0 run little.yaml --last-failed --strict --seed 1
says_nothing_of_it
runs 4 run little.yaml --seed 1 --examples 3
out 'unmet          b: 0 of '

# The invariants that are checked after each step, with the reason, if a machine has many invariants: the same with and
# without --all-invariants.
cat >asked.sql <<'EOF'
CREATE TABLE box (id int);
CREATE FUNCTION opaque() RETURNS bigint LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT count(*) FROM box); END';
CREATE FUNCTION wrapped() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT opaque()';
EOF
asked() { # COUNT: of invariants that can be left out
    cat <<'EOF'
machine: asked
schema: asked.sql
model: n = 0
rules: {add: {sql: INSERT INTO box VALUES (1), model: n += 1}}
invariants:
  by_function: {sql: SELECT opaque(), expect: n}
  by_way_of_another: {sql: SELECT wrapped(), expect: n}
  of_the_catalog: {sql: SELECT 1 FROM pg_class WHERE false}
  by_check: {sql: SELECT count(*) FROM box, check: result.value == n}
  of_the_model: {check: n >= 0}
EOF
    for i in $(seq "$1"); do
        printf '  plain_%d: SELECT 1 FROM box WHERE id = 2\n' "$i"
    done
}
for how in '' --all-invariants -v --jobs=2; do
    asked 20 >asked.yaml
    runs 0 run asked.yaml --seed 1 --examples 2 --no-save --stats ${how:+"$how"} --report json=asked.json
    for words in 'by_function .* it calls public.opaque(), which is in plpgsql' \
        'by_way_of_another .* it calls public.opaque(), which is in plpgsql' 'of_the_catalog .* it reads the catalog' \
        'by_check .* its check compares the answer with the model' 'of_the_model  *102'; do
        grep -q "^    $words\$" out || complain "no reason with '$how': $words: $(cat out)"
    done
    grep -q '^    invariant *checked  always asked$' out || complain "no column: $(cat out)"
    out_lacks 'all invariants'
    [ "$(jq -r 'select(.type == "machine").stats | (.invariants[] | select(.always_asked).name), .all_asked' asked.json |
        tr '\n' ' ')" = 'by_function by_way_of_another of_the_catalog by_check null ' ] ||
        complain "JSON: $(cat asked.json)"
done
asked 19 >asked.yaml
runs 0 run asked.yaml --seed 1 --examples 2 --no-save --stats --report json=asked.json
out 'all invariants are asked after each step: 19 could be left out, which pays from 20 on'
grep -q '"all_asked":"19 could be' asked.json || complain "JSON: $(cat asked.json)"
asked 20 | sed "s/^rules:.*/rules: {add: {sql: \"SELECT set_config('my.x', '1', true)\"}}/; s/== n/== 0/; s/expect: n/expect: 0/" >asked.yaml
runs 0 run asked.yaml --seed 1 --examples 2 --no-save --stats
out 'all invariants are asked after each step: SQL under test may change settings'
out_lacks 'always asked'
asked 10 >asked.yaml
runs 0 run asked.yaml --seed 1 --examples 2 --no-save --stats
out_lacks 'always asked'
out_lacks 'are asked'

# Reports a rule that never succeeded although the model allows success: its errors are all predicted, and no single one
# makes up nine in ten. Does not report a rule that always expects errors, or one that does the same as another rule
# that succeeded.
cat >refused.sql <<'EOF'
CREATE TABLE box (id int PRIMARY KEY, size int NOT NULL CHECK (size > 0));
INSERT INTO box VALUES (1, 1);
EOF
cat >refused.yaml <<'EOF'
machine: refused
schema: refused.sql
model: |
  taken = [1]
  def wrong(id, size):
      return check_violation if size < 1 else unique_violation if id in taken else None
rules:
  put:
    args: {size: "integers(0, 1)"}
    sql: INSERT INTO box VALUES (1, :size)
    raises: wrong(1, size)
    model: taken.append(1)
  rare: {limit: 1, sql: "INSERT INTO box VALUES (1, 1)", raises: 'wrong(1, 1)'}
  refuse: {args: {size: "integers(0, 1)"}, sql: "INSERT INTO box VALUES (NULL, :size)",
           raises: 'not_null_violation if size else [not_null_violation, check_violation]'}
  idle: {sql: DELETE FROM box WHERE id / size = 2, affects: 0}
  new:
    args: {id: "integers(3, 200)"}
    sql: INSERT INTO box VALUES (:id, 1)
    raises: wrong(id, 1)
    model: taken.append(id)
  again:                             # succeeds where `new` does
    args: {id: sampled_from(taken), size: "integers(0, 1)"}
    sql: INSERT INTO box VALUES (:id, :size)
    raises: wrong(id, size)
    model: taken.append(id)
EOF
for jobs in 1 2; do
    runs 0 run refused.yaml --seed 1 --examples 8 --steps 20 --jobs $jobs --no-save --stats --report json=refused.json
    grep -q '^    always fails   put: no success in [0-9]* steps: [a-z]*_violation ([0-9]*), [a-z]*_violation ([0-9]*); draw' out ||
        complain "put never succeeded: $(cat out)"
    grep -qE '^    always fails   rare: no success in [1-8] steps?: unique_violation \([1-8]\); try more steps, or give' out ||
        complain "rare never succeeded: $(cat out)"
    [ "$(grep -c 'always fails' out)" = 2 ] || complain "not two rules: $(cat out)"
    out_lacks 'mostly fails'
    [ "$(jq -r 'select(.type == "machine").stats.rules[] | select(.succeeded == .ran - ([.raised[]] | add // 0)) |
        .name + " " + (.succeeded > 0 | tostring)' refused.json)" = \
        "$(printf '%s false\n' put rare refuse && printf '%s true\n' idle new && echo again false)" ] || complain "who succeeded: $(cat refused.json)"
    [ "$(jq -r 'select(.type == "warning" and .title == "always fails").message | sub(":.*"; "")' refused.json)" = \
        "$(printf 'put\nrare')" ] || complain "the warnings: $(cat refused.json)"
done

for first in '{sql: SELECT 1 / 0}' '{args: {x: "integers(0, 0)"}, sql: "SELECT 1 / :x"}'; do
    { grep -v '^examples\|name: one' little.yaml && printf 'initialize:\n  - %s\n' "$first"; } >broken.yaml
    runs 1 run broken.yaml --seed 1 --stats --strict --no-save
    out 'FAIL  little  initialize 1'
    says_nothing_of_it
    out_lacks chosen
    out_lacks 'of the schema'
    out_lacks statements
done
finish
