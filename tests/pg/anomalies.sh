#!/bin/sh
# A race gets the name of a textbook anomaly only if the tables and the timeline prove it. Each case is a race that
# looks like a named one; what is not proved has no name.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
failed=0
cat >schema.sql <<'EOF_SQL'
CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL);
INSERT INTO accounts VALUES (1, 100), (2, 100);
CREATE TABLE doctors (name text PRIMARY KEY, on_call boolean NOT NULL);
INSERT INTO doctors VALUES ('ann', true), ('bob', true);
CREATE TABLE pair (id int PRIMARY KEY, ann boolean NOT NULL, bob boolean NOT NULL);
INSERT INTO pair VALUES (1, true, true);
CREATE TABLE seats (passenger int NOT NULL);
CREATE TABLE pairs (passenger int PRIMARY KEY);
-- Reads, then writes what it computed.
CREATE FUNCTION add(amount int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE held int := (SELECT balance FROM accounts WHERE id = 1);
BEGIN UPDATE accounts SET balance = held + amount WHERE id = 1; END $$;
-- The same, but nothing is lost: only the answer is old.
CREATE FUNCTION add_and_tell(amount int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE held int := (SELECT balance FROM accounts WHERE id = 1);
BEGIN UPDATE accounts SET balance = balance + amount WHERE id = 1; RETURN held + amount; END $$;
-- Somebody stays on call: each doctor is a row, then a column of one row.
CREATE FUNCTION leave(who text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM doctors WHERE on_call AND name <> who) THEN RETURN false; END IF;
    UPDATE doctors SET on_call = false WHERE name = who;
    RETURN true;
END $$;
CREATE FUNCTION leave_pair(who text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE seen pair := (SELECT pair FROM pair);
BEGIN
    IF NOT (CASE who WHEN 'ann' THEN seen.bob ELSE seen.ann END) THEN RETURN false; END IF;
    UPDATE pair SET ann = ann AND who <> 'ann', bob = bob AND who <> 'bob';
    RETURN true;
END $$;
-- One seat, for whoever comes first; the second form writes a row that both write, and loses nothing of it.
CREATE FUNCTION board(who int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM seats) THEN RETURN false; END IF;
    INSERT INTO seats VALUES (who);
    RETURN true;
END $$;
CREATE FUNCTION board_and_count(who int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE taken boolean := EXISTS (SELECT FROM seats);
BEGIN
    UPDATE accounts SET balance = balance + 1 WHERE id = 1;
    IF taken THEN RETURN false; END IF;
    INSERT INTO seats VALUES (who);
    RETURN true;
END $$;
-- Two rows in the order of its argument; and one row that both lock in share mode first.
CREATE FUNCTION touch(first_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts SET balance = balance + 1 WHERE id = first_id;
    UPDATE accounts SET balance = balance + 1 WHERE id = 3 - first_id;
END $$;
CREATE FUNCTION upgrade() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM accounts WHERE id = 1 FOR SHARE;
    UPDATE accounts SET balance = balance + 1 WHERE id = 1;
    UPDATE accounts SET balance = balance + 1 WHERE id = 2;
END $$;
EOF_SQL

# race NAME FAILS SAID: FAILS is what the first line ends with; SAID the line with the name, or nothing. The rest of the
# machine comes on standard input.
race() {
    name=$1
    { echo "machine: $name"; echo 'schema: schema.sql'; cat; } >"$name.yaml"
    "$PROGRAM" run "$name.yaml" --sessions 2 --seed 1 --examples 60 -d postgres --color never --report json=json >report 2>&1
    said=$(sed -nE 's/^  ((lost update|looks like|read skew|lock order).*)/\1/p' report | sed 's/[AB]1/x/g')
    told=$(jq -rse 'map(select(.type == "failure"))[0].race.anomaly // ""' json | sed 's/[AB]1/x/g')
    if ! grep -q "^FAIL  $name  2 sessions: .*$2\$" report || [ "$said" != "$3" ] || [ "$told" != "$3" ]; then
        echo "$name: not '$2' and '$3', but '$said' and '$told'"
        cat report
        failed=1
    fi
}

unexplained='no order explains the answers'
race lost "$unexplained" 'lost update: x overwrote what x had written to accounts' <<'END'
model: balance = 100
rules:
  add: {args: {amount: "integers(1, 9)"}, sql: "SELECT add(:amount)", model: balance += amount}
invariants:
  balance: {sql: SELECT balance FROM accounts WHERE id = 1, expect: balance}
END
race stale "$unexplained" '' <<'END'
model: balance = 100
rules:
  add: {args: {amount: "integers(1, 9)"}, sql: "SELECT add_and_tell(:amount)", expect: balance + amount, model: balance += amount}
END
leave='
model: "on_call = {\"ann\", \"bob\"}"
rules:
  leave:
    args: {who: "sampled_from([\"ann\", \"bob\"])"}
    expect: on_call - {who} != set()
    model: "on_call = on_call - {who} if on_call - {who} else on_call"'
for level in 'read committed' 'repeatable read'; do
    race skew "$unexplained" 'looks like write skew: x and x wrote different rows, each as if the other did not run' <<END
settings: {isolation: $level}
$leave
    sql: SELECT leave(:who)
END
done
race columns "$unexplained" '' <<END
$leave
    sql: SELECT leave_pair(:who)
END
board='
model: taken = []
rules:
  board:
    args: {who: "integers(1, 1000)"}
    expect: not taken
    model: "if not taken: taken.append(who)"'
# Each keeps the other one out, so it is clear whose row is whose.
race phantoms "$unexplained" 'looks like a phantom: x and x wrote different rows, some of them new, each as if the other did not run' <<'END'
settings: {isolation: repeatable read}
model: taken = set()
rules:
  ann: {sql: "INSERT INTO pairs SELECT 1 WHERE NOT EXISTS (SELECT FROM pairs) ON CONFLICT DO NOTHING", affects: 0 if taken else 1, model: "taken = taken or {1}"}
  bob: {sql: "INSERT INTO pairs SELECT 2 WHERE NOT EXISTS (SELECT FROM pairs) ON CONFLICT DO NOTHING", affects: 0 if taken else 1, model: "taken = taken or {2}"}
END
race order deadlocked 'lock order: x and x update the same 2 rows of accounts in different orders' <<'END'
rules:
  touch: {args: {id: "integers(1, 2)"}, sql: "SELECT touch(:id)"}
END
race upgrade deadlocked '' <<'END'
rules:
  upgrade: {sql: "SELECT upgrade()"}
END
# By night ($PGFSM_TEST_ALL), the same in other forms.
[ -n "$TEST_ALL" ] || exit "$failed"
race phantom "$unexplained" '' <<END
settings: {isolation: repeatable read}
$board
    sql: SELECT board(:who)
END
race counted "$unexplained" '' <<END
$board
    sql: SELECT board_and_count(:who)
END
# A reader of two statements.
race part "$unexplained" 'read skew: x saw a part of what x wrote' <<'END'
settings: {isolation: read committed}
rules:
  move: {sql: "UPDATE accounts SET balance = balance + (3 - 2 * id) * 10"}
  sums:
    sql:
      - "CREATE TEMP TABLE seen ON COMMIT DROP AS SELECT balance FROM accounts WHERE id = 1"
      - "SELECT sum(balance) FROM (SELECT balance FROM accounts WHERE id = 2 UNION ALL SELECT balance FROM seen) AS s"
    expect: 200
END
# The machine's own schema, at a level at which its lock does not help.
cp -r "$top/machines" "$top/sql" .
sed 's/^model:/settings: {isolation: repeatable read}\n&/' machines/on_call.yaml >machines/repeatable.yaml
"$PROGRAM" run machines/repeatable.yaml --sessions 2 --seed 1 --examples 400 -d postgres --color never >report 2>&1
grep -q '^  looks like write skew: [AB]1 and [AB]1 wrote different rows' report || {
    echo "on_call at REPEATABLE READ:"
    cat report
    failed=1
}
exit "$failed"
