#!/bin/sh
# docs.sh TOP
#
# Checks that all names in the documents exist: every path of a file in backticks, every function or type in backticks
# in docs/ARCHITECTURE.md and the README of each module, every target of a link, including its heading. Every operator
# of mutants is named in docs/MUTATION.md. NAME in capitals matches any name, and the extension .c may be omitted. Paths
# in build/ (made by a build), .pgfsm/ (by a run) and .github/, db/, prisma/ and the like (in other repositories) are not
# checked.
set -eu

cd "$1"
failed=0
complain() {
    echo "$1: there is no $2"
    failed=1
}

# The headings of the page $1 as GitHub names them.
anchors() {
    awk '/^```/ { code = !code } /^#/ && !code' "$1" | sed -E 's/^#+ //; s/[^A-Za-z0-9 _-]//g; s/ /-/g' | tr '[:upper:]' '[:lower:]'
}

# Prints the texts in backticks in the file $1, a line each.
quoted() {
    # shellcheck disable=SC2016 # backticks are what is looked for
    grep -o '`[^`]*`' "$1" | tr -d '`' | sort -u
}

for document in ./*.md docs/*.md src/*/README.md ci/packaging/README.md tests/README.md machines/README.md; do
    here=$(dirname "$document")
    # To Markdown, a line that begins with the > of a command is a quotation.
    awk -v name="$document" '/^ *```/ { code = !code } /^>/ && !code { print name ":" FNR ": a quotation"; found = 1 }
        END { exit found }' "$document" || failed=1
    for path in $(quoted "$document" | grep -E '^\.?[a-z.]+(/[A-Za-z_.-]+)+/?$' | grep -vE '^(build|\.github|\.pgfsm|db|meta|prisma|priv|supabase)/|NAME' || true); do
        [ -e "$path" ] || [ -e "$path.c" ] || [ -e "$here/$path" ] || [ -e "src/$path" ] || [ -e "include/$path" ] ||
            complain "$document" "$path"
    done
    for target in $(tr '\n' ' ' <"$document" | grep -oE '\]\([^): ]+\)' | tr -d ']()' | sort -u); do
        page=$document
        case $target in
        '#'*) ;;
        *) page=$here/${target%%#*} ;;
        esac
        [ -e "$page" ] || complain "$document" "$target"
        case $target in
        *'#'*) anchors "$page" | grep -qxF -e "${target#*#}" || complain "$document" "$target" ;;
        esac
    done
done

for document in docs/ARCHITECTURE.md src/*/README.md; do
    for name in $(quoted "$document" | grep -E '^[a-z][a-z0-9]*(_[a-z0-9]+)+$' || true); do
        grep -rqw --exclude='*.md' -- "$name" src include tests/unit tests/pg tests/CMakeLists.txt || complain "$document" "$name"
    done
done

# The operators of mutants: those that each family's test plants, and those of bodies that one session can notice.
operators() {
    cut -d' ' -f1 tests/pg/mutants/*.txt
    sed -n 's/^ *OPERATOR([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/mutate/body/operators.h | grep -vxE 'drop-lock|drop-skip-locked'
}
# shellcheck disable=SC2016 # backticks
documented() { sed -n 's/^| [^|]* | [^|]* | \(`[a-z-]*`, .*\) |$/\1/p' docs/MUTATION.md | grep -o '[a-z-]*[a-z]'; }
for name in $({ operators | sort -u; documented | sort -u; } | sort | uniq -u); do
    complain "docs/MUTATION.md or what names operators" "$name"
done

# Each tool that README.md compares has its section.
sed -n '/^## Compared/,/^\[/p' README.md | sed -nE 's/^\| ([^|]*) \|.*/\1/p' | tail -n +3 | tr ',' '\n' | sed 's/^ *//' |
    while read -r tool; do
        grep -q "^## .*$tool" docs/COMPARISON.md || grep -qF "[$tool](" docs/COMPARISON.md || echo "$tool"
    done >"${TMPDIR:-/tmp}/tools.$$"
while read -r tool; do
    complain docs/COMPARISON.md "section on $tool"
done <"${TMPDIR:-/tmp}/tools.$$"
rm "${TMPDIR:-/tmp}/tools.$$"
exit "$failed"
