# shellcheck shell=sh
# Functions that test the files that pgfsm writes for a race, and play them without pgfsm. A shell script sources this
# file after it has sourced server.sh, started a server and changed to SERVER_DIR.
#
# `failed` is 1 after a complaint. `sessions` is the number of sessions that must find a race.

failed=0
: "${sessions:=2}"

# Sets `tester`: isolationtester, or "none".
find_tester() {
    for tester in "$SERVER_BIN"/../lib/pgxs/src/test/isolation/isolationtester \
        "$SERVER_BIN"/../lib/postgresql/pgxs/src/test/isolation/isolationtester none; do
        [ ! -x "$tester" ] || break
    done
}

complain() {
    echo "FAILED: $*"
    # shellcheck disable=SC2034 # for those who source it
    failed=1
}

# find MACHINE FILE [OPTION...]: finds a failure with `sessions` sessions; its report is in `out`, also as JSON.
find_race() {
    race_machine=$1 race_planted=$2
    shift 2
    rm -rf out .pgfsm
    status=0
    "$PROGRAM" run "$race_machine" --apply "$race_planted" --sessions "$sessions" "$@" --examples 400 -d postgres --out out \
        --report json=json --color never >report 2>&1 || status=$?
    name=$(basename out/*-sessions-*.spec .spec)
    if [ "$status" != 1 ] || ! grep '"race"' json >race ||
        [ "$(ls out)" != "$(printf '%s.spec\n%s.sql' "$name" "$name")" ]; then
        complain "$race_planted: exit status $status"
        cat report
        return 1
    fi
    [ "$(jq -r '.script, .spec' race)" = "$(printf 'out/%s.sql\nout/%s.spec' "$name" "$name")" ] || complain "$race_planted: JSON"
    grep -q "replay .*out/$name.sql   (also .spec for isolationtester, .trace)\$" report || complain "$race_planted: the report does not name the script"
}

# plays SCRIPT STATUS TAP [OPTION...]: plays the script in a new database.
plays() {
    script=$1 wanted=$2 tap=$3
    shift 3
    createdb played
    status=0
    psql -qX "$@" -d played -f "$script" >output 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || ! grep -q "$tap" output; then
        complain "$script: exit status $status, not $wanted, or not $tap"
        cat output
    fi
}

# The answers of the sessions in the report: a line for each row or error, with its step.
by_report() {
    jq -r '.race as $race
        | [$race.steps | group_by(.session)[] | to_entries[] | "\([64 + .value.session] | implode)\(.key + 1)"] as $names
        | $race.events[] | select(.kind == "answered")
        | $names[.step] as $name
        | if .failed then "\($name) ERROR \(.text | sub("^[^:]*: "; ""))"
          elif .text | test("^1 row: ") then
              .text | sub("^1 row: "; "") | {"None": "", "True": "t", "False": "f"}[.] // ltrimstr("\"") | "\($name) \(rtrimstr("\""))"
          elif .text | test("^[A-Z ]+[0-9 ]*$") then "\($name) done"
          else "no text that this test knows: \(.text)" end' race
    jq -r '.race.orders[] | select(.at == null) | "\(.who | ltrimstr("invariant ")): \(.actual)"' race | sort -u |
        sed -E 's/(^|, )[a-z_]+="?([^",]*)"?/\1\2/g; s/: [a-z_]+="?([^",]*)"?/: \1/; s/, /|/g'
}

# The same from isolationtester's output, without the rows that set a context. For checks that contradict an order,
# prints both their number of rows and each row, because the report contains one of them.
by_tester() {
    wanted=$(jq -r '[.race.orders[] | select(.at == null).who | ltrimstr("invariant ")] | unique[]' race)
    awk -v wanted=" $(echo "$wanted" | tr '\n' ' ')" '
        function finish() { if (step && !told) print step " done"; step = ""; told = 1 }
        /^step / {
            finish()
            name = $2
            sub(/:$/, "", name)
            step = name ~ /^[A-D][0-9]+(_[0-9]+|_commit)?$/ ? name : ""
            sub(/_.*/, "", step)
            rows = told = 0
        }
        / <waiting \.\.\.>$/ { step = "" }
        /^ *set_config *$/ && step { setting = 1; next } # by `as:`
        setting { if (/^\([0-9]+ rows?\)$/) setting = 0; next }
        /^ERROR:  / && step { sub(/^ERROR:  /, ""); print step " ERROR " $0; told = 1 }
        /^\([0-9]+ rows?\)$/ { if (!step) checks[name] = substr($0, 2, length($0) - 2); rows = 0; told = 1 }
        rows && step { gsub(/^ +| +$/, ""); print step " " $0 }
        rows && !step && index(wanted, " " name " ") { gsub(/ /, ""); print name ": " $0 }
        /^-+(\+-+)*$/ { rows = 1 }
        END { finish(); for (name in checks) if (index(wanted, " " name " ")) print name ": " checks[name] }' output
}

# spec FILE: writes isolationtester's output to `output`.
spec() {
    plays "out/$name.sql" 0 '^1..0 # SKIP' -v setup=1
    PGISOLATIONTIMEOUT=20 "$tester" dbname=played <"out/$name.spec" >output 2>&1 || complain "$1: isolationtester: $(cat output)"
    dropdb played
}

# same_by_tester RACE: isolationtester gets the answers of the report, row by row.
same_by_tester() {
    spec "$1"
    by_report >reported
    by_tester >tested
    grep -E '^[a-z_0-9]+: ' reported | while read -r line; do
        grep -qxF "$line" tested || echo "isolationtester does not show $line"
    done >differs
    for file in reported tested; do
        grep -vE '^[a-z_0-9]+: ' "$file" >"$file.steps"
    done
    diff reported.steps tested.steps >>differs
    [ ! -s differs ] || complain "$1: isolationtester shows something else: $(cat differs output)"
    [ -s reported ] || complain "$1: nothing was compared"
}
