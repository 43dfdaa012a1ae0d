#!/bin/sh
# manual.sh BUILD_DIR MACHINES.md
#
# The manual pages are well formed, and contain the text of their sources.
set -eu

build=$1 machines=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-manual.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}

export MANWIDTH=100 LC_ALL=C.UTF-8
for page in pgfsm.1 pgfsm-machine.5; do
    # The source of the pages has longer lines and no date.
    mandoc -Tlint "$build/ci/packaging/$page" | grep -v 'input text line longer than 80 bytes\|missing date, using ""' &&
        complain "mandoc complains about $page"
    man --warnings --local-file "$build/ci/packaging/$page.gz" >"$work/$page" 2>"$work/err"
    [ ! -s "$work/err" ] || complain "man complains about $page: $(head -n 5 "$work/err")"
done

holds() { # PAGE TEXT
    grep -qF -e "$2" "$work/$1" || complain "$1 lacks '$2'"
}
"$build/pgfsm" help | sed -n 's/^  pgfsm \([a-z]*\) .*/\1/p' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 7 ] || complain "pgfsm help lists too few commands"
while read -r command; do
    holds pgfsm.1 "pgfsm $command"
    for option in $("$build/pgfsm" help "$command" | sed -n 's/^  [-    ]..*\(--[a-z-]*\).*/\1/p'); do
        holds pgfsm.1 "$option"
    done
done <"$work/commands"
# A line that begins with a dot or a quote, a backslash.
holds pgfsm.1 "'upsert_*'"
holds pgfsm.1 '130'
sed -n 's/^##* \([A-Z][A-Za-z ]*\)$/\1/p' "$machines" | sed 1d >"$work/headings"
[ "$(wc -l <"$work/headings")" -gt 10 ] || complain "$machines has too few headings"
while read -r heading; do
    holds pgfsm-machine.5 "$heading"
done <"$work/headings"

exit "$failed"
