#!/bin/sh
# Checks in the server's log that pgfsm sends nothing twice: statements are prepared once, the constant part of
# `initialize` runs once, role and settings are sent only when they change, only predicted errors have savepoints, and
# an example does not query the catalog.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
dir=$SERVER_DIR/work
mkdir "$dir"
psql -qX --command 'ALTER ROLE postgres SET log_min_duration_statement = 0' --command 'CREATE ROLE reader' \
    --command 'CREATE ROLE writer'

# The schema is in place from the start, all but the table that a rule makes.
cat >"$dir/schema.sql" <<'END'
CREATE TABLE users (id int PRIMARY KEY);
CREATE TABLE items (id int PRIMARY KEY, owner int REFERENCES users DEFERRABLE INITIALLY DEFERRED);
GRANT SELECT ON items TO reader;
GRANT ALL ON items TO writer;
END
cat >"$dir/sent.yaml" <<'END'
machine: sent
schema: schema.sql
model: |
  items = {}
  later = False
contexts:
  writer: {role: writer, settings: {app.tenant: '"7"'}}
  reader: {role: reader}
initialize:
  - sql: INSERT INTO users VALUES (1), (2)
  - sql: SELECT id FROM users ORDER BY id
    target: users
rules:
  add:
    as: writer
    args: {id: "integers(1, 20)", owner: users}
    sql: INSERT INTO items VALUES (:id, :owner)
    raises: unique_violation if id in items else None
    model: items[id] = owner
  remove:
    as: writer
    args: {id: items}
    sql: DELETE FROM items WHERE id = :id
    model: items.pop(id)
  make:
    precondition: not later
    sql: CREATE TABLE later (n int)
    model: later = True
  fill:
    precondition: later
    args: {n: "integers(0, 9)"}
    sql: INSERT INTO later VALUES (:n)
invariants:
  items:
    as: reader
    sql: SELECT id, owner FROM items
    expect: items
  count:
    as: reader
    sql: SELECT count(*) FROM items
    expect: len(items)
END

# run EXAMPLES: runs EXAMPLES examples, and writes the session's actions to $dir/sent.EXAMPLES, a
# line each:
#   parse|execute NAME: TEXT      statement: TEXT      error: MESSAGE      context: VALUES
run() {
    : >"$SERVER_DIR/log"
    "$PROGRAM" run "$dir/sent.yaml" --dbname postgres --no-save --color never --examples "$1" --steps 20 \
        --seed 3 >"$dir/report.$1" || {
        cat "$dir/report.$1" >&2
        exit 1
    }
    awk '
        function say(line) { lines[process, ++count[process]] = line; last[process] = line }
        match($0, /\[[0-9]+\] (LOG|ERROR|DETAIL):  /) {
            split(substr($0, RSTART), words, /[] :]+/)
            process = words[1]
            kind = words[2]
            text = substr($0, RSTART + RLENGTH)
            if (kind == "ERROR") say("error: " text)
            if (kind == "DETAIL" && last[process] ~ /^execute pgfsm_context:/) say("context: " text)
            if (kind == "LOG" && sub(/^duration: [0-9.]+ ms  /, "", text) && text !~ /^bind/) say(text)
            if (text ~ /^parse pgfsm_mark:/) session = process # the one that has a place to come back to
        }
        END { for (i = 1; i <= count[session]; i++) print lines[session, i] }' "$SERVER_DIR/log" >"$dir/sent.$1"
}
run 10
run 20

fails() {
    echo "$1" >&2
    exit 1
}
# The number of such actions in the session with that many examples.
often() { grep -cE "$2" "$dir/sent.$1" || true; }
more() { echo $(($(often 20 "$1") - $(often 10 "$1"))); }
steps() { sed -nE 's/^ok .* ([0-9,]+) steps,.*/\1/p' "$dir/report.$1" | tr -d ,; }

for n in 10 20; do
    twice=$(sed -n 's/^parse \(pgfsm_[^:]*\):.*/\1/p' "$dir/sent.$n" | sort | uniq -d)
    [ -z "$twice" ] || fails "prepared more than once: $twice"
    for constant in 0_0 1_0; do
        [ "$(often "$n" "^execute pgfsm_$constant:")" = 1 ] || fails "initialize was run more than once"
    done
    [ "$(often "$n" '^execute pgfsm_[2-5]_|^error: duplicate key')" = "$(steps "$n")" ] ||
        fails "not a statement for each step"
    for invariant in 6 7; do
        [ "$(often "$n" "^execute pgfsm_${invariant}_")" = $(($(steps "$n") + n)) ] ||
            fails "an invariant was not asked once after each step"
    done
    [ "$(often "$n" '^execute pgfsm_reset:')" -le "$n" ] || fails "an example was rolled back more than once"
    # A role or setting that is sent is another one, and is for something.
    awk '
        /^execute pgfsm_(reset|guard_back|try_back):/ { sent = ""; idle = 0 }
        /^execute (pgfsm_[0-9]|pgfsm_check|<unnamed>)|^parse / { idle = 0 }
        /^context: / {
            if ($0 == sent || idle) { print "sent for nothing: " $0; exit 1 }
            sent = $0
            idle = 1
        }' "$dir/sent.$n" || fails "see above"
done

# Rules that must fail, the table that comes later, contexts: all was there.
[ "$(more '^error: duplicate key')" -gt 0 ] || fails "no step failed"
[ "$(often 10 '^execute pgfsm_5_0_[1-9]:')" -gt 0 ] || fails "nothing was sent to the table that comes later"
[ "$(more '^context:')" -gt 0 ] || fails "no context changed"
[ "$(more '^execute pgfsm_guard:')" = "$(more '^error:')" ] || fails "a savepoint without a predicted error"

# The other actions are the same for any number of examples: queries of the catalog, and prepared statements.
for n in 10 20; do
    grep -vE '^(error|context):|^execute pgfsm_([0-9]|context|reset|guard|check)' "$dir/sent.$n" |
        grep -vE '^(parse|execute) <unnamed>: SET CONSTRAINTS' | sort >"$dir/once.$n"
done
diff "$dir/once.10" "$dir/once.20" >&2 || fails "20 examples cost more than 10, beside what they run"

# Gates for sessions are no change of the catalog that each COMMIT must be asked about.
: >"$SERVER_DIR/log"
sed '/^  make:/,/^    model: later/d; /^  fill:/,/^    sql:/d' "$dir/sent.yaml" >"$dir/gates.yaml"
"$PROGRAM" run "$dir/gates.yaml" --sessions 2 --dbname postgres --no-save --examples 10 >"$dir/report" || {
    cat "$dir/report" >&2
    exit 1
}
[ "$(grep -c 'execute .*: -- Before a commit: an error' "$SERVER_DIR/log")" -le 10 ] ||
    fails "each COMMIT is asked for changes of the catalog"
