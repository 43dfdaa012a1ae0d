#!/bin/sh
# pgfsm mutate: mutants that disturb the run that grades them. A slow one is stopped, in the server or in the model; one
# that ends its server process is reported; the run may reach its time limit or be interrupted. The others are graded.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
export PGFSM_EXAMPLES=2

cat >stops.sql <<'SQL'
CREATE FUNCTION kills(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    IF n > 900 THEN PERFORM pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid()); END IF;
    RETURN n;
END $$;
CREATE FUNCTION loops(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    WHILE n < 10 LOOP n := n + 10; END LOOP;
    RETURN n;
END $$;
CREATE FUNCTION many(n int) RETURNS int LANGUAGE sql AS $$ SELECT least(n, 1000000000) $$;
CREATE FUNCTION plus(n int) RETURNS int LANGUAGE sql AS $$ SELECT n + 1 $$;
CREATE FUNCTION sleeps(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    IF n > 900 THEN PERFORM pg_catalog.pg_sleep(100); END IF;
    RETURN n;
END $$;
SQL
cat >stops.yaml <<'END'
machine: stops
schema: stops.sql
settings: {steps: 8, seed: 1, statement_timeout: 700ms}
rules:
  kills: {args: {n: 'integers(0, 9)'}, sql: 'SELECT kills(:n)', expect: n}
  loops: {args: {n: 'integers(0, 9)'}, sql: 'SELECT loops(:n)', expect: n + 10}
  many:
    args: {n: 'integers(0, 9)'}
    sql: SELECT many(:n)
    model: |
      for i in range(result.value):
          pass
  plus: {args: {n: 'integers(0, 9)'}, sql: 'SELECT plus(:n)', expect: n + 1}
  sleeps: {args: {n: 'integers(0, 9)'}, sql: 'SELECT sleeps(:n)', expect: n}
END

runs 0 mutate stops.yaml -v --only 'condition-true' --only 'drop-statement' --only swap-extremes \
    --only 'plus(*'
verdict() { # VERDICT OPERATOR OBJECT
    grep -q "^ *$1 .*$2  $3" out || {
        complain "$2 of $3 is not $1"
        show
    }
}
verdict broke condition-true 'kills(integer): the connection to the database was lost'
verdict 'timed out' drop-statement 'loops(integer)'
verdict 'timed out' condition-true 'sleeps(integer)'
verdict broke swap-extremes 'many(integer): more than .* evaluation steps'
verdict killed swap-arithmetic 'plus(integer)'


# After the time limit, the remaining mutants are not run, and the graded ones count. Each statement of the first one
# sleeps.
sed 's/statement_timeout: 700ms/statement_timeout: 2s/; s/> 900 THEN PERFORM pg_catalog.pg_sleep/< 0 THEN PERFORM pg_catalog.pg_sleep/' stops.yaml >slow.yaml
said='mutate --max-time'
"$PROGRAM" mutate slow.yaml --only 'sleeps(*' --only 'loops(*' --jobs 1 --max-time 1s >out 2>err
out 'not run'
out '; the time was up'

# An interrupt stops the statement that runs.
sleeping() { psql -qXAtc "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'" | grep -q 1; }
sed 's/statement_timeout: 700ms/statement_timeout: 100s/' stops.yaml >long.yaml
begin mutate long.yaml --only 'sleeps(*' --jobs 1
until_true sleeping
kill -s INT $!
ends 130
out 'stop  stops'
out 'interrupted'
grep -q '^mutants  stops .* survived, .* not run' out || complain "what was graded is not shown: $(cat out)"
left_nothing

# What is tried against survivors may take long, too: here, whatever writes a number below 0 to the table b.
cat >tried.sql <<'SQL'
CREATE TABLE a (n int CHECK (n < 100));
CREATE TABLE b (n int CHECK (n >= 0));
CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.n < 0 THEN PERFORM pg_catalog.pg_sleep(0.5); END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER waits BEFORE INSERT ON b FOR EACH ROW EXECUTE FUNCTION waits();
SQL
cat >tried.yaml <<'END'
machine: tried
schema: tried.sql
settings: {steps: 1000, seed: 1}
rules:
  a: {args: {n: 'integers(0, 9)'}, sql: INSERT INTO a VALUES (:n)}
  b: {args: {n: 'integers(0, 9)'}, sql: INSERT INTO b VALUES (:n)}
END
said='mutate --max-time, trying rules'
timeout 100 "$PROGRAM" mutate tried.yaml --only drop-check --jobs 1 --max-time 10s >out 2>err || complain "$said: status $?"
out 'mutants  tried  2: 2 survived'
begin mutate tried.yaml --only drop-check --jobs 1
until_true sleeping
kill -s INT $!
ends 130
out 'mutants  tried  2: 2 survived'
out 'stop  tried'
out 'interrupted'
left_nothing

# A statement that is tried has a second, also after the first rule that kills: here it needs two.
sed 's/pg_sleep(0.5)/pg_sleep(2)/' tried.sql >late.sql
sed 's/^machine: .*/machine: late/; s/tried.sql/late.sql/; s/steps: 1000/steps: 2/' tried.yaml >late.yaml
runs 0 mutate late.yaml --only drop-check --jobs 1
out 'mutants  late  2: 2 survived'
out '  a_violates_n_check:'
out_lacks '  b_violates_n_check:'

finish
