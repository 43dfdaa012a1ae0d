#!/bin/bash
# tutorial.bash NAME COMMANDS
#
# docs/NAME.md, which has at least so many commands, is executed from top to bottom: each file that it shows is written,
# each command is run, and the output must be the one in the document, except for times and the program's path. With
# UPDATE=1 the outputs in the document are replaced by those of the commands.
#
# A file: a paragraph that ends with its name in backticks, and a colon; then a block. A session: a block of console;
# `$ ` begins a command, `> ` goes on with it, the rest is output. Other blocks are left alone.
export COLUMNS=120 # as wide as the docs
set -euo pipefail

top=$(cd "$(dirname "$0")/../.." && pwd)
name=$1
tutorial=$top/docs/$name.md
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-tutorial.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # a list of names
unset $(env | sed -n '/^PGFSM_PG_BINDIR=/d; s/^\(PG[A-Z_]*\)=.*/\1/p') DATABASE_URL
mkdir "$work/bin" "$work/bank"
ln -s "$PROGRAM" "$work/bin/pgfsm"
export PATH=$work/bin:$PATH NO_COLOR=1 TERM=dumb
cd "$work/bank"
cp "$top/sql/supabase.sql" .

# Removes the parts that depend on time, and the paths of programs.
plain() { sed -E 's/ --pg-bindir [^ ]+//; s/[0-9]+\.[0-9]+ s([,;]|$)/T s\1/; s/[0-9,]+ steps\/s/S steps\/s/; s#[^ ]*/bin/pgfsm#pgfsm#'; }

failed=0
command=
told=
written=$work/written
: >"$written"
finish_command() {
    [ -n "$command" ] || return 0
    local said
    said=$(bash -c "$command" 2>&1 || true)
    if [ "$(plain <<<"$said")" != "$(plain <<<"$told")" ]; then
        printf '%s\n' "A command of $name" "$command" "prints" "$said" "and not" "$told" >&2
        failed=1
        told=$(sed -E 's#[^ ]*/bin/pgfsm#pgfsm#' <<<"$said")
    fi
    [ -z "$told" ] || printf '%s\n' "$told" >>"$written"
    command=
    told=
}

file=
state=text
commands=0
while IFS= read -r line; do
    case $state in
    text)
        case $line in
        '```console') state='console' ;;
        '```'?*)
            file=${file:-/dev/null}
            : >"$file"
            state='file'
            ;;
        *) [[ $line =~ \`([a-z0-9.]+)\`([.:].*)?$ ]] && file=${BASH_REMATCH[1]} ;;
        esac
        printf '%s\n' "$line" >>"$written"
        ;;
    file)
        if [ "$line" = '```' ]; then
            state=text
            file=
        else
            printf '%s\n' "$line" >>"$file"
        fi
        printf '%s\n' "$line" >>"$written"
        ;;
    console)
        case $line in
        '$ '* | '```')
            finish_command
            printf '%s\n' "$line" >>"$written"
            [ "$line" != '```' ] || state=text
            [ "$line" = '```' ] || { command=${line#'$ '} && commands=$((commands + 1)); }
            ;;
        '> '*)
            command+=$'\n'${line#> }
            printf '%s\n' "$line" >>"$written"
            ;;
        *) told+=${told:+$'\n'}$line ;;
        esac
        ;;
    esac
done <"$tutorial"
if [ -n "${UPDATE:-}" ]; then
    cp "$written" "$tutorial"
fi
[ "$commands" -ge "$2" ] || { echo "only $commands commands were found" >&2 && exit 1; }
exit $failed
