#!/bin/sh
# runners.sh TOP node|pytest|wheel|npm
#
# Machines as tests of other runners: one that holds, one with a bug, one that can't be read. `node`: Node's own runner;
# `pytest`: Debian's, with the plugin from ci/packaging/pytest/; `wheel`: the same with an installed wheel of it; `npm`: vitest and
# Jest, from the registry. PROGRAM is pgfsm. Skipped where the runner is missing.
set -u
top=$1
which=$2
. "$top/tests/cli/common.sh"
skip() {
    echo "SKIPPED: $*"
    exit 77
}
case $which in
pytest) /usr/bin/python3 -c 'import pytest' 2>/dev/null || skip "needs python3-pytest" ;;
wheel)
    /usr/bin/python3 -c 'import pytest, setuptools, wheel, venv, pip' 2>/dev/null ||
        skip "needs python3-pytest, python3-wheel, python3-venv and python3-pip"
    ;;
*) command -v node >/dev/null || skip "needs node" ;;
esac
common_begin
trap common_end EXIT
no_database
unset NODE_OPTIONS npm_config_user_agent PYTEST_ADDOPTS

COLUMNS=120
export COLUMNS
: >err
others=$TMPDIR # where runners put their temporary files
mkdir bin machines
ln -s "$PROGRAM" bin/pgfsm
PATH=$DIR/bin:$PATH
export PATH PYTHONDONTWRITEBYTECODE=1
schema() { # CONSTRAINT
    echo "CREATE TABLE stock (item text PRIMARY KEY, quantity integer NOT NULL $1);"
}
schema 'CHECK (quantity >= 0)' >good.sql
schema '' >buggy.sql
# NAME SCHEMA: with a property that is never tried and one that is known to fail.
machine() {
    cat <<END
machine: $1
schema: ../$2
model: stock = {}
rules:
  receive:
    args: {item: 'sampled_from(["nut", "bolt"])', n: 'integers(1, 10)'}
    sql: |
      INSERT INTO stock VALUES (:item, :n)
      ON CONFLICT (item) DO UPDATE SET quantity = stock.quantity + EXCLUDED.quantity
    model: stock[item] = stock.get(item, 0) + n
  ship:
    args: {item: stock, n: 'integers(1, 10)'}
    sql: UPDATE stock SET quantity = quantity - :n WHERE item = :item
    raises: check_violation if n > stock[item] else None
    model: stock[item] -= n
invariants:
  quantities:
    sql: SELECT item, quantity FROM stock
    expect: stock
  rarely: {precondition: len(stock) > 9, sql: SELECT 1, expect: 1}
  known: {sql: SELECT 1, expect: 2, xfail: ticket 1}
END
}
machine holds good.sql >machines/holds.pgfsm.yaml
machine bug buggy.sql >machines/bug.pgfsm.yaml
printf 'machine: bad\nrules: {a: {sql: SELECT 1, foo: 1}}\n' >machines/unreadable.pgfsm.yaml

# ends_with STATUS COMMAND...: its output goes to the file out.
ends_with() {
    wanted=$1
    shift
    said=$*
    status=0
    # shellcheck disable=SC2086 # words
    env TMPDIR="$others" $with timeout 100 "$@" >out 2>&1 </dev/null || status=$?
    with=
    [ "$status" = "$wanted" ] || complain "$said: exit status $status, not $wanted: $(head -n 90 out)"
}
# What each runner shows of the machine with the bug, and of the others.
shows_all() {
    out 'FAIL  bug  rule ship (step 2) should have raised check_violation, but succeeded'
    out '2> ship(item="nut", n=2)'
    out 'replay   pgfsm replay counterexamples/bug-ship-check_violation-did-not-come.sql'
    out 'page     .pgfsm/bug.pgfsm.html'
    out 'again    pgfsm run machines/bug.pgfsm.yaml --seed 1'
    out "machines/unreadable.pgfsm.yaml:2:28: error: a rule has no key 'foo'"
    out "its precondition was never true"
    out "known failure: ticket 1"
    [ -s .pgfsm/bug.pgfsm.html ] || complain "$said: no page"
    [ -s counterexamples/bug-ship-check_violation-did-not-come.sql ] || complain "$said: no script"
    left_nothing
}
packages() {
    mkdir -p node_modules
    cp -R "$top/ci/packaging/npm/pgfsm" node_modules
}
# A run that would take hours; its server is in TMPDIR.
long() {
    rm -r machines
    mkdir machines
    machine long good.sql >machines/long.pgfsm.yaml
}
# shellcheck disable=SC2317 # until_true calls it
started() { [ -n "$(ls -A "$TMPDIR"/*/data/postmaster.pid 2>/dev/null)" ]; }
# is_stopped SIGNAL COMMAND...: the runner gets the signal, as all of a terminal's processes do for INT. Nothing is left.
is_stopped() {
    signal=$1
    shift
    said="$*, $signal"
    setsid env --default-signal=INT,QUIT TMPDIR="$others" "$@" >out 2>&1 </dev/null &
    runner=$!
    until_true started
    if [ "$signal" = INT ]; then kill -s INT -- "-$runner"; else kill -s "$signal" "$runner"; fi
    wait "$runner"
    until_true nothing_left
    left_nothing
}

case $which in
node)
    packages
    cat >all.test.mjs <<'END'
import { machines } from 'pgfsm/node-test';
machines('machines/*.yaml', { seed: 1 });
END
    ends_with 1 node --test --test-reporter tap all.test.mjs
    shows_all
    out "# pass 5"
    out "# fail 2"
    out "# skipped 4"
    out "ok 1 - rule receive"
    out "ok 3 - invariant quantities"
    out "rule ship ($DIR/machines/bug.pgfsm.yaml:14:13)"
    echo "import { machine } from 'pgfsm/node-test'; machine('machines/holds.pgfsm.yaml', { examples: 3 });" >one.test.mjs
    ends_with 0 node --test --test-reporter tap one.test.mjs
    out "# pass 3"
    with="PGHOST=$DIR/nowhere"
    ends_with 1 node --test --test-reporter tap one.test.mjs
    out "could not reach the database"
    echo "import { machine } from 'pgfsm/node-test'; machine('machines/no*.yaml');" >none.test.mjs
    ends_with 1 node --test --test-reporter tap none.test.mjs
    out "no file matches machines/no*.yaml"
    rm bin/pgfsm
    with="PATH=$(dirname "$(command -v node)"):/nowhere"
    ends_with 1 "$(command -v node)" one.test.mjs
    out "npm install --save-dev pgfsm"
    ln -s "$PROGRAM" bin/pgfsm
    long
    echo "import { machine } from 'pgfsm/node-test'; machine('machines/*.yaml', { examples: 1e7 });" >long.test.mjs
    is_stopped INT node --test long.test.mjs
    is_stopped KILL node long.test.mjs
    ;;
pytest | wheel)
    printf '[pytest]\npgfsm_machines = machines/h*.yaml\naddopts = -p no:cacheprovider\n' >pytest.ini
    python=/usr/bin/python3
    if [ "$which" = pytest ]; then
        PYTHONPATH=$top/ci/packaging/pytest
        PYTEST_PLUGINS=pytest_pgfsm
        export PYTHONPATH PYTEST_PLUGINS
    else
        python=$DIR/venv/bin/python
        cp -R "$top/ci/packaging/pytest" wheel
        (cd wheel && /usr/bin/python3 -m pip wheel --quiet --no-deps --no-build-isolation --no-index \
            --disable-pip-version-check .) >out 2>&1 || complain "the wheel: $(cat out)"
        /usr/bin/python3 -m venv --system-site-packages --without-pip venv
        /usr/bin/python3 -m pip --python venv/bin/python install --quiet --no-deps --no-index --no-compile \
            --disable-pip-version-check wheel/*.whl >out 2>&1 || complain "the installation: $(cat out)"
    fi
    mv machines/holds.pgfsm.yaml machines/holds.yaml
    ends_with 1 "$python" -m pytest -v -rsx --continue-on-collection-errors --pgfsm-seed 1 machines
    shows_all
    out "machines/bug.pgfsm.yaml::rule:receive PASSED"
    out "machines/bug.pgfsm.yaml::rule:ship FAILED"
    out "machines/holds.yaml::invariant:rarely SKIPPED"
    out "SKIPPED [1] machines/holds.yaml:20: never checked: its precondition was never true"
    out "1 failed, 5 passed, 2 skipped, 2 xfailed, 1 error"
    out_lacks "Traceback"
    rm machines/unreadable.pgfsm.yaml
    ends_with 0 "$python" -m pytest -v -k quantities --pgfsm-examples 3 machines
    out "2 passed, 8 deselected"
    with="PGHOST=$DIR/nowhere"
    ends_with 1 "$python" -m pytest machines/holds.yaml
    out "could not reach the database"
    [ "$(grep -c 'hint: --wait' out)" = 1 ] || complain "$said: the hint is there more than once"
    with="PATH=/usr/bin:/bin"
    ends_with 2 "$python" -m pytest machines/holds.yaml
    out "pgfsm is not installed: put it on the PATH"
    long
    is_stopped INT "$python" -m pytest --pgfsm-examples 10000000 machines
    is_stopped KILL "$python" -m pytest --pgfsm-examples 10000000 machines
    ;;
npm)
    echo '{"private": true}' >package.json
    # vitest and Jest leave files of their own in the folder for temporary files.
    printf '#!/bin/bash\nTMPDIR=%s exec -a pgfsm "%s" "$@"\n' "$TMPDIR" "$PROGRAM" >pgfsm
    chmod +x pgfsm
    mv pgfsm bin/pgfsm
    others=$DIR/others
    mkdir "$others"
    npm install --no-audit --no-fund --loglevel=error vitest@4.1.12 jest@30.5.2 >out 2>&1 ||
        skip "npm can't install vitest and Jest: $(tail -n 1 out)"
    packages
    cat >vitest.config.mjs <<'END'
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: { forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/machines/**', '**/*.sql'] },
});
END
    cat >all.test.mjs <<'END'
import { machines } from 'pgfsm/vitest';
machines('machines/*.yaml', { seed: 1 });
END
    vitest=node_modules/vitest/vitest.mjs
    ends_with 1 node "$vitest" run --reporter=verbose all.test.mjs
    shows_all
    out "2 failed | 5 passed | 4 skipped (11)"
    out "machines/bug.pgfsm.yaml:14:13"
    ends_with 0 node "$vitest" run -t 'holds invariant quantities' all.test.mjs
    out "1 passed"
    rm -r counterexamples .pgfsm machines/unreadable.pgfsm.yaml
    # Jest shows a property that was never tried as a warning.
    mkdir jest
    cat >jest/all.test.js <<'END'
const { machines } = require('pgfsm/jest');
machines('machines/*.yaml', { seed: 1 });
END
    printf 'machine: bad\nrules: {a: {sql: SELECT 1, foo: 1}}\n' >machines/unreadable.pgfsm.yaml
    ends_with 1 node node_modules/jest/bin/jest.js jest
    shows_all
    out "2 failed, 9 passed, 11 total"
    out "at rule ship (machines/bug.pgfsm.yaml:14:13)"
    rm machines/unreadable.pgfsm.yaml
    # vitest runs again when a schema changes.
    # shellcheck disable=SC2317 # until_true calls it
    ran() { [ "$(grep -c ' Tests  ' watched)" = "$1" ]; }
    said="vitest --watch"
    TMPDIR=$others node "$vitest" --watch all.test.mjs >watched 2>&1 </dev/null &
    watcher=$!
    until_true ran 1
    cp good.sql buggy.sql
    until_true ran 2
    kill "$watcher"
    wait "$watcher"
    tail -n 8 watched | grep -q "6 passed" || complain "$said: $(cat watched)"
    left_nothing
    long
    echo "import { machine } from 'pgfsm/vitest'; machine('machines/*.yaml', { examples: 1e7 });" >long.test.mjs
    is_stopped INT node "$vitest" run long.test.mjs
    is_stopped KILL node "$vitest" run long.test.mjs
    ;;
esac
finish
