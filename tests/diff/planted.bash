#!/usr/bin/env bash
# How often `pgfsm diff` finds planted bugs, and whether it reports changes that are harmless: it compares each schema of
# sql/ with the same schema and a file loaded after it, which is a bug of sql/bugs or tests/diff/bugs, or one of
# tests/diff/harmless. The set `loosened` has a schema of its own, and a change of each kind of constraint.
#
#     tests/diff/planted.bash [OPTION]... [PATTERN...]
#
#     --seeds N           runs the seeds from 1 to N (20)
#     --first SEED        begins with this seed instead of 1
#     --time SECONDS      the longest time of one run (60)
#     --mode MODE         `schema` gives pgfsm the schema's files alone, `machine` a machine of machines/; `both` (schema)
#     --set SET           only `known` (sql/bugs), `new` (tests/diff/bugs), `harmless` or `loosened`; may be repeated
#                         (all but the last)
#     --need MODE=SET=N   fails unless so many bugs of a set are found; may be repeated
#     --pgfsm PROGRAM     the program (build/release/pgfsm, or $PGFSM)
#
# A PATTERN is a part of a name as the table shows it, such as `ledger` or `membership/04`. A bug counts as found in the
# end if at least 4 of 5 seeds find it.
#
# Exit status 1: a harmless change was reported, --need was missed, or pgfsm failed. A run that fails, because of an error
# or because it takes too long, never counts as found. Below a file the first message of a run that failed is shown, or
# the first line of a report on a harmless change.
set -euo pipefail
export COLUMNS=1000 # lines are read that would be broken
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/support/bugs.sh"
pgfsm=${PGFSM:-$top/build/release/pgfsm}
seeds=20
first=1
limit=60
modes=(schema)
sets=()
needs=()
patterns=()

usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }
fail_usage() {
    echo "planted.bash: $1" >&2
    usage >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
        usage
        exit 0
        ;;
    --seeds | --first | --time | --mode | --set | --need | --pgfsm)
        [ $# -gt 1 ] || fail_usage "$1 needs a value"
        case $1 in
        --seeds) seeds=$2 ;;
        --first) first=$2 ;;
        --time) limit=${2%s} ;;
        --mode) case $2 in both) modes=(schema machine) ;; schema | machine) modes=("$2") ;; *) fail_usage "no mode $2" ;; esac ;;
        --set) case $2 in known | new | harmless | loosened) sets+=("$2") ;; *) fail_usage "no set $2" ;; esac ;;
        --need) needs+=("$2") ;;
        --pgfsm) pgfsm=$2 ;;
        esac
        shift
        ;;
    -*) fail_usage "no option $1" ;;
    *) patterns+=("$1") ;;
    esac
    shift
done
[ ${#sets[@]} -gt 0 ] || sets=(known new harmless)
pgfsm=$(realpath "$pgfsm") # runs change to a folder of their own
[ -x "$pgfsm" ] || fail_usage "$pgfsm is not a program"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

is_wanted() { # NAME
    local pattern
    [ ${#patterns[@]} -gt 0 ] || return 0
    for pattern in "${patterns[@]}"; do
        [[ $1 != *"$pattern"* ]] || return 0
    done
    return 1
}

# A line for each file of a set: name, machine, file, shortest sequence or 0.
files() { # known | new | harmless | loosened
    local name file
    case $1 in
    known)
        for name in $(bugs ""); do
            echo "$name $(bug_machine "$name") $top/sql/bugs/$name.sql $(bug_shortest "$name")"
        done
        ;;
    new)
        for file in "$top"/tests/diff/bugs/*.sql; do
            name=$(basename "$file" .sql)
            echo "$name ${name%%-*} $file $(sed -n '2s/^-- shortest: \([0-9]*\) request.*/\1/p' "$file")"
        done
        ;;
    harmless)
        for file in "$top"/tests/diff/harmless/*/*.sql; do
            name=${file#"$top/tests/diff/harmless/"}
            echo "${name%.sql} ${name%%/*} $file 0"
        done
        ;;
    loosened)
        awk -v work="$work" '
            /^-- [a-z-]+$/ { file = work "/loosened-" $2 ".sql"; print $2, "loosened", file, 0; next }
            file { print >file }' "$top/tests/diff/loosened/changes.sql"
        ;;
    esac
}

# The shortest of the failures in a report, in steps; empty if it has none.
length() { # REPORT
    awk '
        /^ *found in example / {
            gsub(/[,(;]/, " ")
            for (i = 1; i < NF; i++) {
                if ($i ~ /^(example|shrunk)$/ && $(i + 2) ~ /^[0-9]+$/) { steps = $(i + 2) }
            }
            if (best == "" || steps < best) { best = steps + 0 }
        }
        END { print best }' "$1"
}

# One run in an empty folder, where no stored failure is. Prints "STATUS MILLISECONDS LENGTH". A status 1 without a failure
# in the report is `1!`: a sanitizer that stops the program sets it, too.
one() { # MODE MACHINE FILE SEED
    local args=() path begin end steps status=0
    if [ "$1" = machine ]; then
        args=("$top/machines/$2.yaml")
    elif [ "$2" = loosened ]; then
        args=(--schema "$top/tests/diff/loosened/schema.sql")
    else
        while read -r path; do args+=(--schema "$path"); done < <(machine_schema "$2")
    fi
    rm -rf "$work/run"
    mkdir "$work/run"
    begin=$(date +%s%N)
    (cd "$work/run" && timeout --kill-after=10 $((limit * 2 + 60)) "$pgfsm" diff "${args[@]}" --apply "$3" --seed "$4" \
        --max-time "${limit}s") >"$work/out" 2>"$work/err" </dev/null || status=$?
    end=$(date +%s%N)
    steps=$(length "$work/out")
    [ "$status" != 1 ] || [ -n "$steps" ] || status='1!'
    echo "$status $(((end - begin) / 1000000)) $steps"
}

median() { # COLUMN of those runs in $work/results that found a difference
    awk -v c="$1" '$1 == 1 && $c != "" { print $c }' "$work/results" | sort -n |
        awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

# Runs all seeds of one file, and prints its line of the table. Adds "MODE SET FOUND ERRORS RATIO" to $work/sums.
measure() { # MODE SET NAME MACHINE FILE SHORTEST
    local seed found errors ms steps ratio='' message=''
    : >"$work/results"
    for ((seed = first; seed < first + seeds; seed++)); do
        one "$1" "$4" "$5" "$seed" >>"$work/results"
        case $(tail -n 1 "$work/results") in
        0\ *) ;;
        1\ *)
            [ "$2" != harmless ] || [ -n "$message" ] || message="seed $seed: $(sed '/^$/d' "$work/out" | head -n 1)"
            ;;
        *) [ -n "$message" ] || message="seed $seed, status $(tail -n 1 "$work/results" | cut -d' ' -f1): $(cat "$work/err" "$work/out" | grep -v "^=*$" | head -n 1 || true)" ;;
        esac
    done
    found=$(grep -c '^1 ' "$work/results") || true
    errors=$(grep -vc '^[01] ' "$work/results") || true
    ms=$(median 2)
    steps=$(median 3)
    [ -z "$steps" ] || [ "$6" = 0 ] || ratio=$(awk -v a="$steps" -v b="$6" 'BEGIN { printf "%.2f", a / b }')
    printf '%-8s %-9s %-44s %4d/%-3d %6s %8s %6s %8s %6s\n' "$1" "$2" "$3" "$found" "$seeds" "$([ "$errors" = 0 ] || echo "$errors")" \
        "$([ -z "$ms" ] || awk -v ms="$ms" 'BEGIN { printf "%.1f", ms / 1000 }')" "${steps:-}" \
        "$([ "$6" = 0 ] || echo "$6")" "$ratio"
    [ -z "$message" ] || printf '         %s\n' "$message"
    echo "$1 $2 $found $errors ${ratio:-0}" >>"$work/sums"
}

: >"$work/sums"
printf '%-8s %-9s %-44s %8s %6s %8s %6s %8s %6s\n' mode set file found errors 'median s' length shortest ratio
for mode in "${modes[@]}"; do
    for set in "${sets[@]}"; do
        files "$set" >"$work/$set"
        while read -r name machine file shortest <&3; do
            is_wanted "$name" || continue
            measure "$mode" "$set" "$name" "$machine" "$file" "${shortest:-0}"
        done 3<"$work/$set"
    done
done
[ -s "$work/sums" ] || fail_usage "no file has such a name: ${patterns[*]}"

echo
status=0
awk -v seeds="$seeds" '
    { key = $1 " " $2; if (!(key in n)) order[++keys] = key; n[key]++; errors[key] += $4
      found[key] += $3 * 5 >= seeds * 4; some[key] += $3 > 0; runs[key] += $3
      if ($5 > 0) ratios[key, ++measured[key]] = $5 }
    END {
        for (k = 1; k <= keys; k++) {
            key = order[k]
            split(key, part)
            if (part[2] == "harmless")
                printf "%-8s harmless: %d of %d changes reported, in %d of %d runs", part[1], some[key], n[key], runs[key], n[key] * seeds
            else {
                printf "%-8s %s: %d of %d bugs found (by 4 of 5 seeds), %d at times", part[1], part[2], found[key], n[key], some[key] - found[key]
                m = measured[key]
                for (i = 2; i <= m; i++)
                    for (j = i; j > 1 && ratios[key, j] < ratios[key, j - 1]; j--) {
                        t = ratios[key, j]; ratios[key, j] = ratios[key, j - 1]; ratios[key, j - 1] = t
                    }
                if (m) printf "; median length %.2f of the shortest", ratios[key, int((m + 1) / 2)]
            }
            printf "; %d runs failed\n", errors[key]
            if (errors[key] || (part[2] == "harmless" && some[key])) bad = 1
        }
        exit bad
    }' "$work/sums" || status=1

for need in ${needs[@]+"${needs[@]}"}; do
    IFS='=' read -r mode set least <<<"$need"
    found=$(awk -v m="$mode" -v s="$set" -v seeds="$seeds" '$1 == m && $2 == s && $3 * 5 >= seeds * 4' "$work/sums" | wc -l)
    [ "$found" -ge "$least" ] || {
        echo "$mode $set: only $found bugs are found, not $least"
        status=1
    }
done
exit "$status"
