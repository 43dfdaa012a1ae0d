#!/bin/sh
# An object that a statement names need not exist in the schema: statements before the rules, or a rule, may create it
# or set the search_path that finds it. If it does not exist after initialize either, both check and run report a
# mistake.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
createdb place

cat >made.sql <<'SQL'
CREATE SCHEMA app;
CREATE TABLE app.t (n text);
CREATE TABLE t (n int, only_here int);
CREATE TABLE starts (name text);
CREATE FUNCTION make_queue(name text) RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN EXECUTE format('CREATE TABLE %I (id int, body text)', 'q_' || name); END $$;
CREATE FUNCTION make_by_another(name text) RETURNS void LANGUAGE sql AS 'SELECT make_queue(name)';
CREATE FUNCTION make_temporary() RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN CREATE TEMP TABLE IF NOT EXISTS scratchpad (n int); END $$;
CREATE FUNCTION make_at_start() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM make_queue(NEW.name); RETURN NEW; END $$;
CREATE TRIGGER make_at_start AFTER INSERT ON starts FOR EACH ROW EXECUTE FUNCTION make_at_start();
CREATE FUNCTION make_role() RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN EXECUTE 'CREATE ' || 'ROLE pgfsm_made'; EXECUTE 'GRANT pgfsm_made TO CURRENT_USER'; END $$;
CREATE FUNCTION into_app() RETURNS void LANGUAGE sql AS $$ SELECT set_config('search_path', 'app', true) $$;
CREATE FUNCTION to_text() RETURNS void LANGUAGE plpgsql
    AS $$ BEGIN ALTER TABLE t ALTER COLUMN n TYPE text; END $$;
SQL

machine() { printf 'machine: %s\nschema: made.sql\n' "$1"; cat; }
passes() { # NAME [EXAMPLES]: the machine on standard input
    machine "$1" >"$1.yaml"
    runs 0 run "$1.yaml" --seed 1 --examples "${2:-20}" --steps 5 --no-save
    runs 0 check "$1.yaml"
}
passes function 200 <<'END'
initialize:
  - sql: SELECT make_by_another('a')
  - sql: INSERT INTO q_a VALUES (1, 'first')
model: n = 1
rules:
  push:
    args: {body: text(), id: column('q_a.id')}
    sql: INSERT INTO q_a VALUES (:id, :body)
    model: n += 1
invariants:
  count: {sql: SELECT count(*) FROM q_a, expect: n}
END
passes drawn <<'END'
initialize:
  - args: {name: "sampled_from(['a', 'b'])"}
    sql: SELECT make_queue('x')
    model: n = 0
rules:
  push: {args: {body: text()}, sql: "INSERT INTO q_x VALUES (1, :body)", model: n += 1}
invariants:
  count: {sql: SELECT count(*) FROM q_x, expect: n}
END
# The table is another one by then, with another type: the parameter's type is that of the right one.
for way in "SET LOCAL search_path = app" "SELECT set_config('search_path', 'app', true)" "SELECT into_app()"; do
    passes path <<END
initialize:
  - sql: "$way"
model: |
  n = 0
rules:
  put: {args: {x: text(max_size=5)}, sql: INSERT INTO t VALUES (:x), model: n += 1}
invariants:
  count: {sql: SELECT count(*) FROM t WHERE n IS NOT NULL, expect: n}
END
done
passes dataset <<'END'
dataset:
  starts: [{name: a}]
rules:
  push: {args: {body: text()}, sql: "INSERT INTO q_a VALUES (1, :body)"}
END
passes contexts <<'END'
contexts:
  made: {role: pgfsm_made}
initialize:
  - sql: SELECT make_role()
  - sql: SELECT make_queue('a')
  - sql: GRANT ALL ON q_a TO pgfsm_made
rules:
  push: {args: {body: text()}, sql: "INSERT INTO q_a VALUES (1, :body)", as: made}
invariants:
  who: {sql: "SELECT current_user::text, count(*) >= 0 FROM q_a", as: made, expect: "('pgfsm_made', True)"}
END
# By a rule, in the middle of an example.
passes by_rule 200 <<'END'
model: |
  made = False
  temporary = False
  n = 0
rules:
  make: {precondition: not made, sql: SELECT make_queue('a'), model: made = True}
  push: {precondition: made, args: {body: text()}, sql: "INSERT INTO q_a VALUES (1, :body)", model: n += 1}
  open: {sql: SELECT make_temporary(), model: temporary = True}
  note: {precondition: temporary, args: {n: "integers(0, 9)"}, sql: INSERT INTO scratchpad VALUES (:n)}
invariants:
  count: {for: {x: "[1] if made else []"}, sql: "SELECT count(*) FROM q_a WHERE id = :x", expect: n}
END
out 'ok  by_rule.yaml  4 rules, 1 invariant; 2 of 5 statements prepared on '
err 'by_rule.yaml:9:70: warning: not prepared: relation "q_a" does not exist'
err 'by_rule.yaml:11:81: warning: not prepared: relation "scratchpad" does not exist'
err 'by_rule.yaml:13:71: warning: not prepared: relation "q_a" does not exist'
# By a rule's own text: a function, a column, a type, a constraint.
passes by_text <<'END'
model: done = False
rules:
  make:
    precondition: not done
    sql: |
      CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT 2 * $1';
      ALTER TABLE t ADD COLUMN m int;
      CREATE TYPE mood AS ENUM ('ok');
      ALTER TABLE starts ADD CONSTRAINT once UNIQUE (name);
    model: done = True
  call: {precondition: done, sql: SELECT twice(1)}
  read: {precondition: done, sql: SELECT m FROM t}
  feel: {precondition: done, sql: "SELECT 'ok'::mood"}
  once: {precondition: done, sql: INSERT INTO starts SELECT 'a' WHERE false ON CONFLICT ON CONSTRAINT once DO NOTHING}
END
out '4 of 8 statements prepared on '
err 'by_text.yaml:13:42: warning: not prepared: function twice(integer) does not exist'
err 'by_text.yaml:14:42: warning: not prepared: column "m" does not exist'
err 'warning: not prepared: type "mood" does not exist'
err 'warning: not prepared: constraint "once" for table "starts" does not exist'
# A statement whose text is known only at run time is not a mistake.
passes pasted <<'END'
rules:
  any: {args: {name: just('t')}, sql: 'SELECT count(*) FROM :"name"', raises: None}
  one: {sql: SELECT count(*) FROM t, raises: None}
END
out 'ok  pasted.yaml  2 rules, 0 invariants; 1 of 2 statements prepared on '
err_lacks warning
passes type_by_rule <<'END'
model: done = False
rules:
  change: {precondition: not done, sql: SELECT to_text(), model: done = True}
  put_number: {precondition: not done, args: {x: "integers(0, 9)"}, sql: INSERT INTO t (n) VALUES (:x)}
  put_text: {precondition: done, args: {x: text(max_size=5)}, sql: INSERT INTO t (n) VALUES (:x)}
END

for words in "--embedded" "--jobs 2" "--no-pipeline" "--in-place -d place"; do
    # shellcheck disable=SC2086 # words
    runs 0 run function.yaml by_rule.yaml --seed 1 --examples 5 --no-save $words
done
runs 0 check function.yaml contexts.yaml by_rule.yaml --in-place -d place

# Run ahead, and parsed once for each transaction: 50 steps and as many invariants in each of 20 examples.
: >"$SERVER_DIR/log"
with="PGOPTIONS=-clog_min_duration_statement=0" runs 0 run function.yaml --seed 1 --examples 20 --no-save
parsed=$(grep -c 'parse pgfsm_[0-9]' "$SERVER_DIR/log")
if [ "$parsed" -lt 1 ] || [ "$parsed" -gt 40 ]; then
    complain "$parsed statements were parsed"
fi

# Mistakes: the same for check and run, with place and caret.
refused() { # NAME: the machine on standard input; then err, place and message
    machine "$1" >"$1.yaml"
    runs 2 check "$1.yaml"
    cp err "$1.err"
    # shellcheck disable=SC2086 # words
    runs 2 run "$1.yaml" --seed 1 --no-save $words
    cmp -s err "$1.err" || complain "$1 $words: run says: $(cat err) and check: $(cat "$1.err")"
    words="--in-place -d place"
}
words="--jobs 2"
refused typo <<'END'
initialize:
  - sql: SELECT make_queue('a')
rules:
  push: {sql: "INSERT INTO q_b VALUES (1, 'x')"}
  pop: {sql: DELETE FROM q_a WHERE idd = 1}
END
err 'typo.yaml:6:28: error: relation "q_b" does not exist'
err '      push: {sql: "INSERT INTO q_b VALUES (1, '
err '                               ^'
err 'typo.yaml:7:36: error: column "idd" does not exist'
refused typo_initialize <<'END'
initialize:
  - sql: SELECT make_queue('a')
  - sql: INSERT INTO q_b VALUES (1, 'x')
rules:
  look: {sql: SELECT 1}
END
err 'typo_initialize.yaml:5:22: error: relation "q_b" does not exist'
refused typo_drawn <<'END'
initialize:
  - {args: {n: "integers(0, 9)"}, sql: "SELECT make_queue('a' || :n::text)"}
rules:
  look: {sql: SELECT * FROM q_b}
invariants:
  all: {sql: SELECT * FROM q_c}
END
err 'relation "q_b" does not exist'
err 'typo_drawn.yaml:8:28: error: relation "q_c" does not exist'
# A rule that creates tables excuses no other mistake: not a missing column, function or FROM.
refused typo_with_maker <<'END'
rules:
  make: {args: {n: "sampled_from(['a', 'b'])"}, sql: "SELECT make_by_another(:n)", raises: "[None, duplicate_table]"}
  call: {sql: "SELECT make_queue('a', 1)"}
  other: {sql: SELECT * FROM q_b, raises: None}
invariants:
  column: SELECT * FROM t WHERE only_there = 1
  from: SELECT u.n FROM t
END
err 'typo_with_maker.yaml:5:23: error: function make_queue(unknown, integer) does not exist'
err 'typo_with_maker.yaml:8:33: error: column "only_there" does not exist'
err 'typo_with_maker.yaml:9:16: error: missing FROM-clause entry for table "u"'
err_lacks q_b
refused typo_with_function <<'END'
initialize:
  - sql: SELECT make_queue('a')
rules:
  make: {limit: 1, sql: "CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT 2 * $1'"}
  call: {sql: SELECT twice(1)}
  pop: {sql: DELETE FROM q_a WHERE idd = 1}
END
err 'typo_with_function.yaml:8:36: error: column "idd" does not exist'
err_lacks twice
# The columns that a statement returns are known after it is prepared.
machine no_value >no_value.yaml <<'END'
rules:
  void: {sql: "SELECT pg_notify('a', 'b')", target: voids}
  none: {sql: SELECT FROM t, target: nones}
  given: {sql: "SELECT pg_notify('a', 'b')", target: givens, returns: 1}
  one: {sql: SELECT count(*) FROM t, target: ones}
END
runs 0 check no_value.yaml
err 'no_value.yaml:4:16: warning: the target gets no value: this statement returns none'
err 'no_value.yaml:5:15: warning: the target gets no value: this statement returns none'
[ "$(grep -c warning: err)" = 2 ] || complain "$said: not two warnings"
runs 4 check --strict no_value.yaml
# A table that a rule may create does not exist yet.
machine too_early >too_early.yaml <<'END'
rules:
  make: {args: {n: "sampled_from(['a', 'b'])"}, sql: SELECT make_queue(:n), raises: "[None, duplicate_table]"}
invariants:
  all: SELECT * FROM q_c
END
runs 0 check too_early.yaml
out 'ok  too_early.yaml  1 rule, 1 invariant; 1 of 2 statements prepared on '
err 'too_early.yaml:6:22: warning: not prepared: relation "q_c" does not exist'
runs 1 run too_early.yaml --seed 1 --no-save
out 'relation "q_c" does not exist'
refused typo_column <<'END'
initialize:
  - sql: SELECT make_queue('a')
rules:
  push: {args: {id: "column('q_b.id')"}, sql: "SELECT :id::int"}
END
err "there is no table 'q_b'"
refused typo_role <<'END'
contexts:
  none: {role: pgfsm_none}
initialize:
  - sql: SELECT make_queue('a')
rules:
  push: {sql: SELECT * FROM q_a, as: none}
END
err 'role "pgfsm_none" does not exist'

dropdb place
left_nothing
finish
