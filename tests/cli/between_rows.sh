#!/bin/sh
# Sessions stop between the rows of one statement: two that lock the same rows in opposite orders deadlock. A consistent
# order does not. The script of the race repeats it.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
cat >schema.sql <<'END'
CREATE TABLE acc (id int PRIMARY KEY, n int NOT NULL DEFAULT 0);
INSERT INTO acc SELECT i FROM generate_series(1, 3) AS i;
CREATE TABLE parts (id int PRIMARY KEY, n int NOT NULL DEFAULT 0) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (1) TO (3);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (3) TO (9);
INSERT INTO parts SELECT i FROM generate_series(1, 3) AS i;
CREATE FUNCTION bump(ids int[]) RETURNS void LANGUAGE plpgsql SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_seqscan = off AS $$
BEGIN
    UPDATE acc SET n = n + 1 FROM unnest(ids) AS u (id) WHERE acc.id = u.id;
end $$;
END

# machine NAME SQL…: a rule that is given two of the rows, in either order
machine() {
    name=$1
    shift
    cat >"$name.yaml" <<END
machine: $name
schema: schema.sql
settings: {seed: 1, examples: 20}
rules:
  bump:
    args: {ids: "lists(integers(1, 3), min_size=2, max_size=3, unique=True)"}
    sql:
END
    for sql; do
        echo "      - $sql" >>"$name.yaml"
    done
}

# deadlocks NAME STOP: it says where it stopped, and the script finds the deadlock again
deadlocks() {
    runs 1 run "$1.yaml" --sessions 2 -d postgres
    out "deadlocked"
    grep -Eq "$2" out || complain "it stops nowhere with $2"
    if [ "$1" = locks ] || [ -n "$TEST_ALL" ]; then # a script waits 5 s for the deadlock
        runs 1 replay "counterexamples/$1-sessions-deadlock-40P01.sql" -d postgres
        out 'error 40P01'
    fi
}

ordered='JOIN acc ON acc.id = u.i ORDER BY'
machine locks "SELECT acc.id FROM unnest(:ids::int[]) WITH ORDINALITY AS u (i, o) $ordered o FOR UPDATE OF acc"
machine inside 'SELECT bump(:ids)'
machine right "SELECT acc.id FROM unnest(:ids::int[]) AS u (i) $ordered acc.id FOR UPDATE OF acc" 'SELECT bump(:ids)'
machine upserts 'INSERT INTO parts SELECT i FROM unnest(:ids::int[]) AS i ON CONFLICT (id) DO UPDATE SET n = 1'

deadlocks locks 'stops with the lock of row '
deadlocks inside 'stops with the lock of row '
deadlocks upserts 'stops (before|with the lock of) a row of its (INSERT into|UPDATE of) parts_[12]$'
runs 0 run right.yaml --sessions 2 -d postgres

# As a role, in a schema where new functions are nobody's: the gates are everybody's all the same.
sed -i '1i ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;' schema.sql
echo 'GRANT SELECT, UPDATE ON acc TO pg_monitor;' >>schema.sql
machine role "SELECT acc.id FROM unnest(:ids::int[]) WITH ORDINALITY AS u (i, o) $ordered o FOR UPDATE OF acc"
sed -i 's/^    sql:/    as: {role: pg_monitor}\n&/' role.yaml
deadlocks role 'stops with the lock of row '
runs 1 replay counterexamples/role-sessions-deadlock-40P01.sql -d postgres
finish
