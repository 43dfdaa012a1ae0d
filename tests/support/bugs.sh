# shellcheck shell=sh
# The machines of machines/ and the bugs planted in their schemas, read from the files themselves. A shell script sets
# `top`, the top folder of the repository, and sources this file.
#
# A race is sql/races/MACHINE-NAME.sql: a bug that shows if several sessions run side by side, and not if one runs alone.
# Its head has
#
#     -- shortest: 2 steps, 1 switch, 0 gates        of the switches of its schedule so many are within a statement
#     --   A1  claim(worker="ann")                   the steps as a report shows them
#     --   …
#
# A bug is sql/bugs/MACHINE-NAME.sql, SQL to load after the schema. Its head has
#
#     -- machine: NAME         where that is not what the file's name begins with
#     -- not committed: WHY    where it does not show if each step is a transaction of its own
#     -- shortest: 3           the steps of the shortest sequence that shows it, and the sequence as it is
#     --   a = create("x")     pinned in a machine
#     --   …

: "${top:?the top of the repository}"

# bugs [MACHINE]: the names of all bugs, or of that machine's, a line each.
bugs() {
    for bug in "$top"/sql/bugs/*.sql; do
        bug=$(basename "$bug" .sql)
        [ -n "${1:-}" ] && [ "$1" != "$(bug_machine "$bug")" ] || echo "$bug"
    done
}

# races [MACHINE]: the names of all races, or of that machine's, a line each.
races() {
    for race in "$top"/sql/races/*.sql; do
        race=$(basename "$race" .sql)
        [ -n "${1:-}" ] && [ "$1" != "${race%%-*}" ] || echo "$race"
    done
}

bug_machine() {
    named=$(sed -n 's/^-- machine: *//p;/^[^-]/q' "$top/sql/bugs/$1.sql")
    echo "${named:-${1%%-*}}"
}

# Succeeds if the bug shows with committed steps.
bug_is_committed() {
    ! sed '/^[^-]/q' "$top/sql/bugs/$1.sql" | grep -q '^-- not committed:'
}

bug_shortest() {
    sed -n 's/^-- shortest: *\([0-9][0-9]*\)$/\1/p;/^[^-]/q' "$top/sql/bugs/$1.sql"
}

bug_steps() {
    awk '/^-- shortest:/ { steps = 1; next } steps && !/^--   / { exit } steps { print substr($0, 6) }' \
        "$top/sql/bugs/$1.sql"
}

race_shortest() {
    sed -n 's/^-- shortest: *//p;/^[^-]/q' "$top/sql/races/$1.sql"
}

race_steps() {
    awk '/^-- shortest:/ { steps = 1; next } steps && !/^--   / { exit } steps { print substr($0, 6) }' \
        "$top/sql/races/$1.sql"
}

# The files of its schema in their order, a line each. The machine has them on one line.
machine_schema() {
    for path in $(sed -n 's/^schema: *//p' "$top/machines/$1.yaml" | tr -d '[],'); do
        echo "$top/machines/$path"
    done
}
