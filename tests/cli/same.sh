#!/bin/sh
# A seed always yields the same report, except for times: when run again, with --no-pipeline (running ahead changes only
# the time) and for every --jobs. The shards of a run together run its examples.
#
#   PROGRAM=… sh tests/cli/same.sh [SEEDS [EXAMPLES [NAME...]]]
#
# The other comparisons depend on the seed: each is made for two seeds of ten.
#
# SEEDS: FIRST-LAST for each (1-20), or `one`: one for each, not the same for all. EXAMPLES: of each run (4). NAME: of
# machines and planted bugs; without a NAME, all of them.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
seeds=${1:-1-20}
examples=${2:-4}
if [ $# -ge 2 ]; then shift 2; else shift $#; fi
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

# The report without the parts that depend on time (the table of times, which a run ahead does not have) and without the
# words that distinguish the runs. Random keys of a schema are replaced by the same text of the same width.
timeless() {
    sed -E '/^ *time of /,/^$/d; /answers arrive together/,/^$/d; s/[0-9.,]+ (µs|ms|s|min)\b/T/g; s/[0-9,]+ steps\/s/S steps\/s/
        s/T T\b/T/g; s/ --(no-pipeline|jobs [0-9]+)//g; s/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/UUID/g; s/  +/  /g' "$1"
}

report() { # FILE OPTION...
    file=$1
    shift
    "$PROGRAM" run "$@" --examples "$examples" --seed "$seed" --stats --no-save >long 2>&1
    echo "exit status $?" >>long
    timeless long >"$file"
}

same_with() { # OPTIONS ARGUMENT...: options, in one word, that must change nothing
    options=$1
    shift
    # shellcheck disable=SC2086 # words
    report other "$@" $options
    cmp -s report other || complain "$*, seed $seed: another report with '$options': $(diff report other)"
}

# The output of each example, in the order of their numbers.
told() { # FILE OPTION...
    file=$1
    shift
    "$PROGRAM" run "$@" --examples "$examples" --seed "$seed" -v --no-save 2>&1 >/dev/null |
        awk '/^example [0-9]+/ { at = $2 + 0; on = 1 } /^(ok|FAIL|stop)/ { on = 0 }
             on { printf "%06d %06d %s\n", at, NR, $0 }' >>"$file"
}

shards() { # MACHINE
    : >whole
    : >parts
    told whole "$@"
    for shard in 1 2 3; do
        told parts "$@" --shard "$shard/3"
    done
    sort whole | cut -c 15- >told.whole
    sort parts | cut -c 15- >told.parts
    [ -s told.whole ] || complain "$*: nothing was told"
    cmp -s told.whole told.parts ||
        complain "$*, seed $seed: the shards tell other examples: $(diff told.whole told.parts)"
}

number=0
check() { # KIND ARGUMENT...
    kind=$1
    shift
    seed=${seeds%-*}
    last=${seeds#*-}
    [ "$seeds" != one ] || { seed=$((1 + number % 20)); last=$seed; }
    while [ "$seed" -le "$last" ]; do
        report report "$@"
        grep -q '^exit status [01]$' report || complain "$*, seed $seed: $(cat report)"
        same_with --no-pipeline "$@"
        case $seed in
        *[05]) same_with '' "$@" ;;
        *[16]) same_with '--jobs 2' "$@" ;;
        *[38]) same_with '--jobs 3' "$@" ;;
        *[49]) [ "$kind" != holds ] || shards "$@" ;;
        esac
        seed=$((seed + 1))
    done
}

wanted() { # NAME OF...
    name=$1
    shift
    number=$((number + 1))
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) return 1 ;; esac
}

for machine in "$top"/machines/*.yaml "$top"/tests/bench/machines/*.yaml; do
    kind=holds
    case $machine in */bench/*) kind=fails ;; esac
    wanted "$(basename "$machine" .yaml)" "$@" && check $kind "$machine"
done
for bug in $(bugs ''); do
    wanted "$bug" "$@" && check fails "$top/machines/$(bug_machine "$bug").yaml" --apply "$top/sql/bugs/$bug.sql"
done
left_nothing
finish
