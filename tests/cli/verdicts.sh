#!/bin/sh
# One word for one verdict: the last line of a machine's report agrees with the exit status in each mode.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo 'CREATE TABLE t (n int);' >t.sql
machine() { # NAME, then lines of rules and the like
    printf 'machine: %s\nschema: %s\nsettings: {examples: 4, steps: 3}\n' "$1" "${schema:-t.sql}" >"$1.yaml"
    cat >>"$1.yaml"
}
machine holds <<'END'
rules: {one: {sql: SELECT 1, expect: 1}}
END
machine fails <<'END'
rules: {one: {sql: SELECT 1, expect: 2}}
END
machine idle <<'END'
rules:
  one: {sql: SELECT 1}
  two: {sql: SELECT 2, precondition: n > 0}
model: n = 0
END
machine nothing <<'END'
rules: {one: {sql: SELECT 1, precondition: n > 0}}
model: n = 0
END
machine mistaken <<'END'
rules: {one: {sql: SELECT 1, model: "n = [][1]"}}
END
machine lost <<'END'
initialize: [{sql: SELECT pg_terminate_backend(pg_backend_pid())}]
rules: {one: {sql: SELECT 1}}
END
# A setting of the database itself: a statement that runs in the database is a mistake in a copy that lacks the setting.
cat >own.sql <<'END'
CREATE SCHEMA ext;
CREATE FUNCTION ext.answer() RETURNS int LANGUAGE sql AS 'SELECT 42';
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, ext', current_database()); END $$;
END
schema=own.sql
machine own <<'END'
rules: {ask: {sql: SELECT answer(), expect: 42}}
END

# The first word of the verdict. It is FAIL only if there are failures.
verdict() {
    word=$(grep -E '^(ok|stop|none|unmet)  ' out | cut -d' ' -f1)
    [ "$word" ] || word=$(grep -q '^FAIL  ' out && echo FAIL)
}
agrees() { # the exit status and the verdict
    case $status in
    0) wanted=ok ;;
    1) wanted=FAIL ;;
    2 | 3 | 130) wanted=stop ;;
    4) wanted=unmet ;;
    5) wanted=none ;;
    esac
    verdict
    [ "$word" = "$wanted" ] || {
        complain "$said: '$word' with status $status"
        show
    }
}

for options in '' '--jobs 2' --no-pipeline '--no-save --stats'; do
    while read -r status_wanted name more; do
        # shellcheck disable=SC2086 # words
        runs "$status_wanted" run "$name.yaml" --seed 1 $more $options
        agrees
        rm -rf .pgfsm counterexamples
    done <<'END'
0 holds
0 idle
1 fails
2 mistaken
3 lost
4 idle --strict
5 nothing
5 holds --examples 0
END
    said="pgfsm run own.yaml $options"
    status=0
    # shellcheck disable=SC2086
    "$PROGRAM" run own.yaml --no-save $options >out 2>err || status=$?
    agrees
done

# With several machines the last line counts them by the same words.
runs 2 run holds.yaml fails.yaml nothing.yaml mistaken.yaml --no-save
out "4 machines: 1 ok, 1 failed, 1 with nothing run, 1 stopped"
finish
