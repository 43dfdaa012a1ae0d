#!/bin/sh
# python.sh LIBRARY DOCS
#
# The binding for Python of docs/library: its example, every type of value there and back, exceptions, two threads.
set -eu

LIBPGFSM=$1 docs=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-python.XXXXXX")
trap 'rm -rf "$work"' EXIT
export LIBPGFSM PYTHONPATH="$docs" PYTHONDONTWRITEBYTECODE=1
unset PGHOST PGPORT PGUSER PGDATABASE PGSERVICE DATABASE_URL
cd "$work"
failed=0
complain() {
    echo "$*"
    failed=1
}

python3 "$docs/ledger.py" >out || complain "the example fails: $(cat out)"
echo 'ALTER TABLE accounts DROP CONSTRAINT accounts_balance_check' >bug.sql
! python3 "$docs/ledger.py" bug.sql >out || complain "the bug was not found: $(cat out)"
grep -q 'ledger({0: 100, 1: 100, 2: 100})' out || complain "the state is not shown: $(cat out)"

cat >echo.yaml <<'END'
machine: echo
model: e = echo()
rules:
  ask: {model: e.tell()}
invariants:
  same:
    sql: |
      SELECT NULL, true, 7, 9223372036854775808, 1.50, 'é', '\x00ff'::bytea, ARRAY[1, 2], '{"a": [1, null]}'::jsonb, 0.1::float8
    expect: |
      e.back((None, True, 7, 1 << 63, 1.50, "é", b"\x00\xff", [1, 2], {"a": [1, None]}, float("0.1")))
  values: {check: 'e.back({1, (2, 3)}) == {1, (2, 3)}'}
END
cat >values.py <<'END'
import sys
import pgfsm


class Echo(pgfsm.Model):
    wrong = None

    def __init__(self):
        self.told = 0

    @pgfsm.change
    def tell(self):
        self.told += 1
        if Echo.wrong:
            raise ValueError(Echo.wrong)

    @pgfsm.look
    def back(self, value):
        def listed(value):  # lists came as tuples
            if isinstance(value, tuple) and value == (1, 2):
                return [1, 2]
            return {"a": [1, None]} if isinstance(value, dict) else value
        return tuple(listed(item) for item in value) if isinstance(value, tuple) else value


with pgfsm.Database() as database, pgfsm.Machine("echo.yaml", Echo) as machine:
    with machine.run(database, seed=1, jobs=2, examples=20) as run:
        print(run.report(), end="")
        print("outcome", run.outcome, run.failures)
    print("states", len(machine.bound.states))
    Echo.wrong = "not today"
    try:
        machine.run(database, seed=1)
    except pgfsm.Error as error:
        print("error", str(error).replace("\n", " "))
    Echo.wrong = None
    with machine.run(database, seed=1, examples=1) as run:
        print("again", run.outcome)
    try:
        pgfsm.Machine("none.yaml")
    except pgfsm.Error as error:
        print("missing", "none.yaml" in str(error))
END
python3 values.py >out 2>err || complain "values.py: $(cat err)"
[ ! -s err ] || complain "values.py says: $(cat err)"
for line in 'outcome 0 \[\]' 'states 0' 'error .*echo\.tell().*ValueError: not today' 'again 0' 'missing True'; do
    grep -q "^$line" out || complain "no line '$line': $(cat out)"
done
exit "$failed"
