# What the programs share that compare pgfsm with others: who is compared, and the table. To be sourced
# by bash; options are read by measure_options, then measure_start starts a server and readies databases
# on it.
#
# A contender is a function contender_NAME EXAMPLES SEED. It runs the membership machine, without a bug, on
# the server that PGHOST and PGPORT name, in examples of at most 50 steps, and prints how many steps it ran
# and in how many seconds, start-up and connecting left out.
# shellcheck shell=bash

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$bench/../.." && pwd)
# shellcheck source=tests/pg/server.sh
. "$top/tests/pg/server.sh"

pgfsm=${PGFSM:-$top/build/release/pgfsm}
rounds=5
examples=1000
check=no
contenders=()

# measure_options OPTION...: for a program whose usage is its leading comment.
measure_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --rounds) rounds=$2; shift ;;
        --examples) examples=$2; shift ;;
        --pgfsm) pgfsm=$2; shift ;;
        --check) check=yes ;;
        -h | --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        -*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
        *) contenders+=("$1") ;;
        esac
        shift
    done
    pgfsm=$(realpath "$(command -v "$pgfsm")") || { echo "$0: no program $pgfsm; --pgfsm names it" >&2; exit 2; }
}

measure_start() {
    server_start socket
    work=$SERVER_DIR/work
    mkdir "$work"
    cd "$work" || exit 1
    local database
    for database in membership membership_rows; do
        createdb "$database"
        psql -qX --set ON_ERROR_STOP=1 --dbname "$database" --file "$top/sql/membership.sql"
    done
    pgbench_ready
}

contender_pgfsm() { pgfsm_steps "$@"; }
contender_jobs2() { pgfsm_steps "$@" --jobs 2; }
contender_commit() { pgfsm_steps "$@" --commit; }

pgfsm_steps() { # examples seed option...
    "$pgfsm" run "$top/machines/membership.yaml" --dbname postgres --no-save --color never \
        --examples "$1" --seed "$2" "${@:3}" >"$work/report" || { cat "$work/report" >&2; return 1; }
    sed -nE 's/^ok .* ([0-9,]+) steps, ([0-9.]+) s,.*/\1 \2/p' "$work/report" | tr -d ,
}

# What the server can do: everything known in advance, the statements of pgfsm with all of an example sent
# at once, and nothing compared. The rows that every example begins with are there already. Each place in
# the script is a prepared statement of its own, so that custom plans would be made again and again.
pgbench_ready() {
    user=$(psql -qXAt -d membership_rows -c "INSERT INTO users (email) VALUES ('ann@example.com') RETURNING id")
    local projects
    mapfile -t projects < <(psql -qXAt -d membership_rows \
        -c "INSERT INTO projects (name) SELECT 'p' || n FROM generate_series(1, 4) AS n RETURNING id")
    createdb -T membership_rows membership_rows2
    psql -qX -d postgres -c "ALTER DATABASE membership_rows SET plan_cache_mode = force_generic_plan" \
        -c "ALTER DATABASE membership_rows2 SET plan_cache_mode = force_generic_plan"
    pgbench_variables=(-D "user=$user" -D viewer=viewer -D editor=editor
        -D "claims={\"sub\": \"$user\", \"role\": \"authenticated\"}")
    for i in 0 1 2 3; do
        pgbench_variables+=(-D "p$i=${projects[i]}")
    done
    awk 'function statement(text) { print text ";" }
        BEGIN {
            srand(1)
            print "\\startpipeline"
            statement("BEGIN")
            statement("SELECT set_config('\''request.jwt.claims'\'', :claims, true), set_config('\''role'\'', '\''authenticated'\'', true)")
            for (i = 0; i < 50; i++) {
                project = ":p" int(rand() * 4)
                role = rand() < 0.5 ? ":viewer" : ":editor"
                if (rand() < 0.5) {
                    statement("INSERT INTO project_members (project_id, user_id, role) VALUES (" project ", :user, " role ") ON CONFLICT (project_id, user_id) DO UPDATE SET role = EXCLUDED.role")
                } else {
                    statement("DELETE FROM project_members WHERE project_id = " project " AND user_id = :user")
                }
                statement("SELECT pid FROM get_member_project_ids() AS pid")
                statement("SELECT pid FROM get_editor_project_ids() AS pid")
            }
            statement("ROLLBACK")
            print "\\endpipeline"
        }' >"$work/example.sql"
    grep -v pipeline "$work/example.sql" >"$work/statements.sql"
}

# One pgbench for each database, at the same time; what they do in a second is added. Each runs as many examples
# as one alone would: what is rolled back stays in the tables, and slows down what comes after it.
pgbench_steps() { # script examples database...
    local script=$1 each=$2 database pids=() pid
    shift 2
    for database; do
        vacuumdb -q -d "$database" # what earlier rounds left
    done
    for database; do
        "$SERVER_BIN/pgbench" -n -M prepared -f "$work/$script.sql" -t "$each" "${pgbench_variables[@]}" \
            "$database" >"$work/pgbench.$database" 2>&1 &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || { cat "$work"/pgbench.* >&2; return 1; }
    done
    for database; do
        cat "$work/pgbench.$database"
    done | awk '/^tps = / { tps += $3 } END { print 50 * tps, 1 }'
}

contender_pgbench() { pgbench_steps example "$1" membership_rows; }
contender_pgbench2() { pgbench_steps example "$1" membership_rows membership_rows2; }
contender_pgbench-statements() { pgbench_steps statements $((($1 + 4) / 5)) membership_rows; } # a round trip for each
contender_hypothesis() { "$bench/peers/hypothesis/membership" $((($1 + 9) / 10)) "$2"; }
contender_fast-check() { node "$bench/peers/fast-check/membership.mjs" $((($1 + 4) / 5)) "$2"; }

# Prints the median of the numbers on standard input.
median() { sort -n | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# Round by round: pgfsm's steps a second as a multiple of the contender's; of pgfsm and of pgbench with more
# connections, theirs as a multiple of what one does; of pgfsm with --commit, as a multiple of it without.
multiples() { # contender
    case $1 in
    jobs* | commit) paste "$work/rate.$1" "$work/rate.pgfsm" ;;
    pgbench2) paste "$work/rate.$1" "$work/rate.pgbench" ;;
    *) paste "$work/rate.pgfsm" "$work/rate.$1" ;;
    esac | awk '{ print $1 / $2 }'
}

# compare BARS [CONTENDER...]: runs pgfsm and the contenders by turns, `rounds` times, the first round in
# advance and not counted. Prints steps a second, and below the median of `multiples`. BARS has a line for
# each contender with the multiple that is asked for; who falls short goes into `unmet`.
compare() {
    local bars=$1 names=(pgfsm "${@:2}") name round steps seconds
    rm -f "$work"/rate.*
    printf '%-10s' round && printf ' %18s' "${names[@]}" && echo
    for round in $(seq 0 "$rounds"); do
        local line=
        for name in "${names[@]}"; do
            read -r steps seconds < <("contender_$name" "$examples" "$((round + 1))") ||
                { echo "$0: $name gives no figure" >&2; exit 1; }
            [ "$round" -gt 0 ] || continue
            awk -v a="$steps" -v b="$seconds" 'BEGIN { r = a / b; printf (r < 100 ? "%.1f\n" : "%.0f\n"), r }' >>"$work/rate.$name"
            line+=$(printf ' %18s' "$(tail -1 "$work/rate.$name")")
        done
        [ "$round" = 0 ] || printf '%-10s%s\n' "$round" "$line"
    done
    printf '%-10s' median
    for name in "${names[@]}"; do
        printf ' %18s' "$(median <"$work/rate.$name")"
    done
    printf '\n%-10s' spread
    for name in "${names[@]}"; do
        printf ' %18s' "$(sort -n "$work/rate.$name" | awk 'NR == 1 { l = $1 } END { print l " - " $1 }')"
    done
    printf '\n%-10s %18s' multiple ''
    for name in "${names[@]:1}"; do
        multiples "$name" >"$work/multiple.$name"
        printf ' %18.2f' "$(median <"$work/multiple.$name")"
    done
    printf '\n%-10s %18s' bar ''
    for name in "${names[@]:1}"; do
        local bar
        bar=$(awk -v n="$name" '$1 == n { print $2 }' <<<"$bars")
        printf ' %18s' "${bar:--}"
        [ -z "$bar" ] || awk -v a="$(median <"$work/multiple.$name")" -v b="$bar" 'BEGIN { exit a < b }' ||
            unmet+=" $name"
    done
    echo
}

# Ends the program: with --check as a failure where a bar was not met.
measure_end() {
    [ -z "$unmet" ] || echo "below the bar:$unmet" >&2
    [ "$check" = no ] || [ -z "$unmet" ] || exit 1
}
unmet=
