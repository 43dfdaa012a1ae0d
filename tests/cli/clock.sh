#!/bin/sh
# clock.sh [all]
#
# A machine with a clock: everything in the server sees the simulated time, which moves only when a rule moves it, and
# the same way in each mode. Also tests waiting statements, replay scripts and refused settings. With `all`, which takes
# twice as long, also other ways to run, and machines/clock; otherwise clock_naive.sh and clock_shrunk.sh run these.
set -u
all=${1:-}
. "$(dirname "$0")/common.sh"
machines=$(cd "$(dirname "$0")/../../machines/clock" && pwd)
common_begin
trap common_end EXIT
no_database

# libfaketime's shared memory is not in $TMPDIR.
shared_left() { find /dev/shm -maxdepth 1 -name '*faketime*' | sort; }
before=$(shared_left)

cat >seen.sql <<'SQL'
CREATE ROLE clock_reader;
CREATE TABLE loaded AS SELECT clock_timestamp() AS at, (SELECT pg_postmaster_start_time()) AS began;
CREATE TABLE events (
    id int PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    exact timestamptz NOT NULL DEFAULT clock_timestamp(),
    day date NOT NULL DEFAULT CURRENT_DATE,
    clock time NOT NULL DEFAULT LOCALTIME,
    folded timestamptz NOT NULL DEFAULT 'now'::timestamptz, -- once, when the table is made
    local timestamp GENERATED ALWAYS AS (at AT TIME ZONE 'Europe/Berlin') STORED,
    stamped timestamptz
);
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.stamped := statement_timestamp();
    RETURN NEW;
END $$;
CREATE TRIGGER stamp BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION stamp();
CREATE VIEW recent AS SELECT id FROM events WHERE at > now() - interval '1 hour';
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY today ON events TO clock_reader USING (day = CURRENT_DATE);
GRANT SELECT ON events TO clock_reader;
CREATE FUNCTION nap() RETURNS void LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep_for('1 ms'); END $$;
SQL
cat >seen.yaml <<'END'
machine: seen
schema: seen.sql
clock: 2026-03-29 01:30:00+01          # half an hour before the clocks of Berlin are put forward
settings: {seed: 4, examples: 20, steps: 20}
contexts:
  berlin: {settings: {TimeZone: '"Europe/Berlin"'}}
  reader: {role: clock_reader}
model: |
  events = {}                          # id -> time
  def summer():
      return now >= "2026-03-29 01:00:00+00"
initialize:
  - {sql: "SELECT at = began, at = now() FROM loaded", expect: '(True, True)'}
  - {advance: 1 us, model: began = now}
rules:
  wait:
    args: {by: 'timedeltas("00:00:00", "02:00:00")'}
    advance: by
  days: {advance: 1 day}
  fails: {advance: 1 s, sql: SELECT 1 / 0, raises: division_by_zero}
  log:
    args: {id: 'integers(1, 9)'}
    sql: INSERT INTO events (id) VALUES (:id)
    raises: unique_violation if id in events else None
    model: events[id] = now
  ask:
    advance: interval(mins=1)
    let: {later: 'date_add(now, "1 min")'}
    sql: |
      SELECT now(), clock_timestamp(), statement_timestamp(), transaction_timestamp(),
             timeofday()::timestamptz, age(:later::timestamptz::timestamp, now()::timestamp)::text
    expect: '(now, now, now, now, now, "00:01:00")'
  zone:
    as: berlin
    sql: SELECT now()::text LIKE '%+02', LOCALTIMESTAMP::text
    expect: '(summer(), date_add(now[:-3], "2 hours" if summer() else "1 hour"))'
invariants:
  all:
    sql: SELECT id, at, exact, day, clock, folded, stamped FROM events
    expect: '{(i, e, e, e[:10], e[11:-3], "2026-03-29 00:30:00+00", e) for i, e in events.items()}'
  recent:
    sql: SELECT id FROM recent
    expect: '{i for i, e in events.items() if e > date_subtract(now, "1 hour")}'
  local:
    sql: SELECT id, local FROM events
    expect: |
      {(i, date_add(e[:-3], "2 hours" if e >= "2026-03-29 01:00:00+00" else "1 hour"))
       for i, e in events.items()}
  today:
    as: reader
    sql: SELECT id FROM events
    expect: '{i for i, e in events.items() if e[:10] == now[:10]}'
  began: {check: 'began == "2026-03-29 00:30:00.000001+00"'}
END

# uuidv7() is of PostgreSQL 18.
cat >uuid.yaml <<'END'
machine: uuid
clock: 2026-01-01
rules:
  ask:
    advance: 1 day
    sql: |
      SELECT CASE WHEN current_setting('server_version_num')::int >= 180000
             THEN (xpath('//text()', query_to_xml('SELECT uuid_extract_timestamp(uuidv7())', false, true, '')))[2]::text::timestamptz
             ELSE now() END::date
    expect: now[:10]
END
# Another machine without a clock, another time: one server after the other, each with its own time.
cat >wall.yaml <<'END'
machine: wall
rules: {ask: {sql: SELECT now() > '2026-11-01', expect: True}}
END
runs 0 run seen.yaml wall.yaml uuid.yaml --no-save --examples 10
left_nothing

# Step by step, from the cache, and with many requested connections.
if [ "$all" ]; then
    runs 0 run seen.yaml --no-save --no-pipeline --jobs 2
    out '1 of 2 connections: there can'"'"'t be more copies of the database: all databases of a server have the same clock'
    runs 0 run "$machines" --no-save --examples 5
    left_nothing
fi

# A failure says when it was; it takes the least of time.
sed 's/"1 hour")}/"2 hours")}/' seen.yaml >wrong.yaml
runs 1 run wrong.yaml --examples 100
out 'invariant recent after wait (step 2): missing 1'
grep -qE '^  2> wait\(by="01:00:00"\)   now 01:30:00.000001$' out || {
    complain "not at its shortest"
    show
}
script=counterexamples/seen-recent.sql
runs 1 replay $script
out 'not ok 1 - seen: invariant recent'
sed -i "s/'1 hour'/'2 hours'/" seen.sql
runs 0 replay $script
out 'ok 1 - seen: invariant recent'
sed -i "s/'2 hours'/'1 hour'/" seen.sql
left_nothing

# Waiting statements are cancelled with the reason: a sleep soon, others at their timeout.
cat >waits.yaml <<'END'
machine: waits
schema: seen.sql
clock: 2026-01-01
settings: {statement_timeout: 400ms, examples: 0, shrink: {executions: 0}}
rules:
  nap: {sql: SELECT nap()}
  counts: {sql: 'SELECT count(*) FROM pg_class a, pg_class b, pg_class c, pg_class d'}
examples:
  - {name: sleeps, steps: nap()}
END
[ -z "$all" ] || echo '  - {name: counts, steps: counts()}' >>waits.yaml
runs 1 run waits.yaml
out 'rule nap (step 1) took longer than'
out 'pg_sleep never ends, as the clock stands still'
out 'no script: no time limit of the server ends it while the clock stands still'
[ -z "$all" ] || out 'canceling statement due to statement timeout'
echo 'SELECT pg_sleep(1);' >sleeps.sql
sed 's/seen.sql/sleeps.sql/' waits.yaml >sleeps.yaml
runs 2 check sleeps.yaml --embedded
err 'pg_sleep never ends, as the clock of the machine stands still'
left_nothing

# A mistake has its place.
for by in '5' '"-1 day"'; do
    printf 'machine: odd\nclock: 2026-01-01\nrules:\n  wait: {let: {x: 1}, advance: (%s)}\n' "$by" >odd.yaml
    runs 2 run odd.yaml
    err 'odd.yaml:4:'
done

# The library is missing, or is a different one.
with='PGFSM_LIBFAKETIME=/nowhere/libfaketime.so.1'
runs 2 run uuid.yaml
err 'needs libfaketime: there is no /nowhere/libfaketime.so.1'
err 'apt-get install libfaketime'
: >empty.so
with="PGFSM_LIBFAKETIME=$DIR/empty.so"
runs 3 run uuid.yaml
err "the server does not take its time from $DIR/empty.so"
left_nothing
[ "$(shared_left)" = "$before" ] || complain "left behind: $(shared_left)"
finish
