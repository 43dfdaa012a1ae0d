#!/bin/sh
# A run with --all-invariants finds the same failures and prints the same report, except for times and the number of
# statements. In a machine with few invariants, all of them are always checked, so each machine gets twenty more, which
# hold.
#
#   PROGRAM=… sh tests/cli/all_invariants.sh [SEEDS [EXAMPLES [NAME...]]]
#
# SEEDS: FIRST-LAST (1-3). EXAMPLES: of each run (6). NAME: of machines and planted bugs, and `roads`, the ways in which
# a table can be written. Without a NAME all of them run, including races, each alone and in two sessions.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
seeds=${1:-1-3}
examples=${2:-6}
if [ $# -ge 2 ]; then shift 2; else shift $#; fi
server_start socket
common_begin
trap 'common_end; server_stop' EXIT
mkdir machines
ln -s "$top/sql" sql

# Adds twenty invariants before the others, so that no invariant that writes comes before them.
padded() { # MACHINE
    awk '/^invariants:/ { print; pad(); done = 1; next } { print }
         END { if (!done) { print "invariants:"; pad() } }
         function pad() { for (i = 0; i < 20; i++) print "  pad_" i ": {as: {}, sql: SELECT 1 WHERE false}" }' "$1"
}

# The report without the parts that depend on time, and with all random keys of a schema replaced by
# the same text.
report() { # FILE OPTION...
    to=$1
    shift
    "$PROGRAM" run "$@" --examples "$examples" --seed "$seed" --stats --no-save >long 2>&1
    echo "exit status $?" >>long
    sed -n 's/^ *\([0-9,]*\) statements, .*/\1/p' long | tr -d , >statements
    sed -E '/^ *time of /,/^$/d; s/[0-9.,]+ (µs|ms|s|min)\b/T/g; s/[0-9,]+ statements, ([^/]*, )?[0-9,]+ steps\/s/S\1/
        s/ --all-invariants//g; s/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/UUID/g; s/  +/  /g' long >"$to"
}

fewer=0
both() { # OPTION...
    seed=${seeds%-*}
    while [ "$seed" -le "${seeds#*-}" ]; do
        report all "$@" --all-invariants
        before=$(cat statements)
        report some "$@"
        grep -q '^exit status [01]$' some || complain "$*, seed $seed: $(cat some)"
        cmp -s all some || complain "$*, seed $seed: not the same with all invariants: $(diff all some)"
        [ "$(cat statements)" -ge "$before" ] || fewer=$((fewer + 1))
        seed=$((seed + 1))
    done
}

# The set of skipped invariants does not depend on the speed of the answers.
steady() { # OPTION...
    seed=${seeds%-*}
    report some "$@"
    taken=$(cat statements)
    for options in --no-pipeline '--jobs 2'; do
        # shellcheck disable=SC2086 # words
        report other "$@" $options
        [ "$(cat statements)" = "$taken" ] ||
            complain "$*: $(cat statements) statements with $options, not $taken"
    done
}

wanted() { # NAME OF...
    name=$1
    shift
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) return 1 ;; esac
}

for machine in "$top"/machines/*.yaml; do
    file=$(basename "$machine")
    padded "$machine" >"machines/$file"
    wanted "${file%.yaml}" "$@" && both "machines/$file"
done
wanted basejump "$@" && steady machines/basejump.yaml
for bug in $(bugs ''); do
    wanted "$bug" "$@" && both "machines/$(bug_machine "$bug").yaml" --apply "$top/sql/bugs/$bug.sql"
done
for race in $(races ''); do
    if wanted "$race" "$@"; then
        both "machines/${race%%-*}.yaml" --apply "$top/sql/races/$race.sql"
        both "machines/${race%%-*}.yaml" --apply "$top/sql/races/$race.sql" --sessions 2
    fi
done
# The ways in which a table is written, or a query comes to mean something else. One rule in twenty breaks an invariant,
# so a run that learned of it at the end of an example would have run more steps.
road() { # NAME SQL QUERY: a rule's statement, with the number of its runs as :n, and what then has a row
    cat >schema.sql <<'EOF'
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int REFERENCES a ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE c (id int);
CREATE TABLE parts (id int) PARTITION BY LIST (id);
CREATE TABLE part PARTITION OF parts FOR VALUES IN (1);
CREATE VIEW seen AS SELECT 1 AS id WHERE false;
CREATE MATERIALIZED VIEW kept AS SELECT * FROM c;
CREATE FUNCTION known() RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
CREATE FUNCTION copy() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO c VALUES (NEW.id); RETURN NULL; END';
CREATE CONSTRAINT TRIGGER copies AFTER INSERT ON parts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION copy();
CREATE FUNCTION write_c() RETURNS int LANGUAGE plpgsql AS
    'BEGIN INSERT INTO c SELECT 1 WHERE EXISTS (SELECT FROM a WHERE id = 9); RETURN 1; END';
CREATE POLICY few ON c USING (known() = 1);
INSERT INTO a SELECT generate_series(1, 3);
INSERT INTO b SELECT generate_series(1, 3);
EOF
    cat >plain.yaml <<EOF
machine: $1
schema: schema.sql
model: n = 0
rules:
  idle: {weight: 10, sql: SELECT 1}
  think: {weight: 5, model: pass}
  refuse: {weight: 5, sql: SELECT 1 / 0, raises: division_by_zero}
  breaks:
    sql:
$(printf '%s\n' "$2" | sed 's/^/      - /')
    model: n += 1
invariants:
  road: $3
EOF
    padded plain.yaml >roads.yaml
    both roads.yaml
    grep -q '^exit status 1$' some || complain "$1: it holds: $(cat some)"
}
names="$*"
case " $names " in "  " | *" roads "*)
    road cascade 'DELETE FROM a WHERE id = 1' 'SELECT 1 FROM b HAVING count(*) < 3'
    road update 'UPDATE b SET id = 2' 'SELECT 1 FROM b WHERE id = 2 HAVING count(*) > 1'
    road partition 'INSERT INTO part VALUES (1)' 'SELECT * FROM parts'
    road deferred 'INSERT INTO parts VALUES (1)' 'SELECT * FROM c'
    road truncated "TRUNCATE c
INSERT INTO c VALUES (:n)" 'SELECT * FROM c WHERE id = 2'
    road view 'CREATE OR REPLACE VIEW seen AS SELECT 1 AS id' 'SELECT * FROM seen'
    road refresh "INSERT INTO c VALUES (1)
REFRESH MATERIALIZED VIEW kept" 'SELECT * FROM kept'
    road function "CREATE OR REPLACE FUNCTION known() RETURNS int LANGUAGE sql STABLE AS 'SELECT 2'" \
        'SELECT 1 WHERE known() = 2'
    road temporary 'CREATE TEMPORARY TABLE a AS SELECT 9 AS id' 'SELECT * FROM a WHERE id = 9'
    road sequence 'CREATE SEQUENCE s START 5' "SELECT 1 WHERE to_regclass('s') IS NOT NULL"
    road setting "SELECT set_config('my.road', 'x', true)" "SELECT 1 WHERE current_setting('my.road', true) = 'x'"
    road model 'SELECT 2' '{sql: SELECT 0, expect: n}'
    # the other invariants and the next step see the rows that an invariant writes
    road written 'INSERT INTO a VALUES (9)' '{sql: "SELECT write_c()", expect: 1}
  copied: SELECT * FROM c'
    road written_after 'INSERT INTO a VALUES (9)' 'SELECT * FROM c
  writes: {sql: "SELECT write_c()", expect: 1}'
    ;;
esac
[ "$fewer" -gt 0 ] || complain "no run left an invariant out"
left_nothing
finish
