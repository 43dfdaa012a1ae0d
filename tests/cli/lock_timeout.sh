#!/bin/sh
# Whether lock_timeout ends a wait is a choice of the schedule, and not of the computer's speed: both are tried, however
# long it is, and the same seed gives the same timeline.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# machine NAME LIMIT ERRORS STATEMENTS: the last of which waits
machine() {
    cat >"$1.sql" <<END
CREATE TABLE acc (id int PRIMARY KEY, n int NOT NULL DEFAULT 0);
INSERT INTO acc VALUES (1);
CREATE FUNCTION bump() RETURNS int LANGUAGE plpgsql SET lock_timeout = '$2' AS \$\$
BEGIN
    $4
    RETURN 1;
EXCEPTION WHEN $3 THEN
    RETURN -1;
end \$\$;
END
    cat >"$1.yaml" <<END
machine: $1
schema: $1.sql
settings: {seed: 1, examples: 8}
rules:
  bump: {sql: SELECT bump(), expect: 1}
END
}

update='UPDATE acc SET n = n + 1 WHERE id = 1;'
machine short 1ms lock_not_available "$update"
machine long 1h lock_not_available "$update"
machine never 0 lock_not_available "$update"
# A lock that nothing is written for: the stop is in the function.
machine select 1h lock_not_available 'PERFORM FROM acc WHERE id = 2; PERFORM FROM acc WHERE id = 1 FOR UPDATE;'
for name in short long; do
    runs 1 run $name.yaml --sessions 2 -d postgres
    out 'lock_timeout ends a wait before its UPDATE of acc'
    out '1 row: -1'
    sed -n '/^  A/,/^$/p' out >$name.timeline
    runs 1 replay counterexamples/$name-*.sql -d postgres
done
cmp short.timeline long.timeline || complain 'the timelines differ'
runs 1 run select.yaml --sessions 2 -d postgres
out 'lock_timeout ends a wait in bump(), before line 3'
runs 1 replay counterexamples/select-*.sql -d postgres
# A step that ran into it is answered all the same; elsewhere, waits have no end.
sed -i 's/expect: 1/check: "result.value in [1, -1]"/' long.yaml short.yaml
runs 0 run short.yaml --sessions 2 -d postgres
runs 0 run long.yaml --sessions 2 -d postgres
runs 0 run never.yaml --sessions 2 -d postgres

# It is over with the function that sets it: what waits afterwards is not ended.
machine over 1h lock_not_available 'INSERT INTO acc VALUES (DEFAULT);'
sed -i 's/id int PRIMARY KEY/id serial/' over.sql
cat >over.yaml <<'END'
machine: over
schema: over.sql
settings: {seed: 1, examples: 8}
rules:
  both: {sql: [SELECT bump(), UPDATE acc SET n = n + 1 WHERE id = 1], raises: None}
END
runs 0 run over.yaml --sessions 2 -d postgres
finish
