#!/bin/sh
# planted_test.sh BASH: tests planted.bash with programs in place of pgfsm, and the heads of the files that it reads.
set -eu

bash=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/pgfsm-planted.XXXXXX")
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
    echo "planted_test.sh: $1"
    cat "$work/out"
    failed=1
}

# A program that is called like pgfsm and runs these lines of shell; $all has its arguments.
stub() {
    {
        echo '#!/bin/sh'
        # shellcheck disable=SC2016 # for the program
        echo 'all=" $* "'
        cat
    } >"$work/pgfsm"
    chmod +x "$work/pgfsm"
}

# planted STATUS OPTION...
planted() {
    wanted=$1 status=0
    shift
    "$bash" "$here/planted.bash" --pgfsm "$work/pgfsm" "$@" >"$work/out" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || complain "planted.bash $*: status $status, not $wanted"
}

says() {
    grep -Eq "$1" "$work/out" || complain "it does not say: $1"
}

# Found by four of five seeds is found. The shortest failure of a report counts, and its length as shrunk.
stub <<'END'
case $all in *' --seed 2 '*) exit 0 ;; esac
echo '  found in example 3 (7 steps), seed 1'
echo '  found in example 9 (50 steps), seed 1; shrunk to 4 steps in 31 runs (212 steps), 0.09 s'
exit 1
END
planted 0 --seeds 5 --need schema=new=1 bookings-first
says '^schema +new +bookings-first-part +4/5 .* 4 +3 +1.33$'
says '1 of 1 bugs found .*median length 1.33 .*; 0 runs failed'
planted 1 --seeds 5 --need schema=new=2 bookings-first
planted 0 --seeds 3 bookings-first
says '0 of 1 bugs found .*, 1 at times'

# A harmless change must not be reported.
planted 1 --seeds 1 bookings/05
says '1 of 1 changes reported, in 1 of 1 runs'
stub </dev/null
planted 0 --seeds 1 bookings/05
says '0 of 1 changes reported'

# An error is neither found nor harmless.
for code in 2 3 77 139; do
    echo "echo broken >&2; exit $code" | stub
    planted 1 --seeds 1 bookings-first bookings/05
    says "seed 1, status $code: broken"
    says '0 of 1 bugs found .*; 1 runs failed'
    says '0 of 1 changes reported.*; 1 runs failed'
done

# A status without a report is an error: a sanitizer stops a program with status 1.
echo "echo broken >&2; exit 1" | stub
planted 1 --seeds 1 bookings-first bookings/05
says 'seed 1, status 1!: broken'
says '0 of 1 bugs found .*; 1 runs failed'
says '0 of 1 changes reported.*; 1 runs failed'

# What pgfsm is given: all files of a schema, or the machine.
stub <<'END'
echo "$all"
exit 2
END
planted 1 --seeds 1 --time 7s basejump/01
says 'diff --schema [^ ]*/sql/supabase.sql --schema [^ ]*/sql/basejump.sql --apply [^ ]*/01-renamed-constraint.sql --seed 1 --max-time 7s'
planted 1 --seeds 1 --mode machine --first 4 membership-stale-user
says 'diff [^ ]*/machines/membership_two_users.yaml --apply [^ ]*/membership-stale-user.sql --seed 4 '
planted 2 no-such-file
planted 2 --mode neither

# Heads: the fault in the first line, the length of the sequence in the second, then the sequence.
for file in "$here"/bugs/*.sql; do
    awk 'NR == 1 { bad = !/^-- .*\.$/ }
        NR == 2 { if (!match($0, /^-- shortest: [0-9]+ request/)) bad = 1; left = $3 }
        NR > 2 && /^--   / && !done { if ($2 != "migrate") left-- }
        NR > 2 && !/^--   / { done = 1 }
        END { exit bad || left }' "$file" || {
        : >"$work/out"
        complain "$file: its head is not as it should be"
    }
done
for file in "$here"/harmless/*/*.sql; do
    head -n 3 "$file" | grep -q '^-- .*Harmless: ' || {
        : >"$work/out"
        complain "$file: its head does not say why it is harmless"
    }
done
exit "$failed"
