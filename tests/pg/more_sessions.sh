#!/bin/sh
# more_sessions.sh [RACE...]: races of races/ that two sessions do not show, or that three show differently. Each is
# found, shrunk to its shortest form, and has its name in all files: the report, the HTML, the trace, the script and the
# file for isolationtester. The correct schema or isolation level passes some hundred examples.
#
# With SEEDS='1 2 3': with each of these seeds.
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/server.sh"
. "$(dirname "$0")/race_files.sh"
server_start socket
cd "$SERVER_DIR" || exit 1
find_tester
cp -r "$top"/tests/pg/races/* .
sed 's/: circle$/: circle4/; s/Three/Four/; s/{id: 3}/{id: 3}, {id: 4}/; s/3: 0/3: 0, 4: 0/; s/1, 2, 3/1, 2, 3, 4/' circle.yaml >circle4.yaml
for machine in savings chain; do
    sed 's/repeatable read/serializable/' $machine.yaml >$machine-right.yaml
done
for machine in circle circle4 seats; do
    cp $machine.yaml $machine-right.yaml
done
echo >nothing.sql

# shown SESSIONS BEFORE STEPS: the reports contain these numbers of sessions, of steps before them and of their steps.
shown() {
    letters=$(printf 'A\nB\nC\nD\n' | head -n "$1" | tr '\n' ' ')
    [ "$(jq '.race.sessions' race)" = "$1" ] || complain "$machine: sessions: $(jq '.race.sessions' race)"
    [ "$(jq '.race.steps | length' race)" = "$3" ] || complain "$machine: not $3 steps: $(cat report)"
    grep -q "^FAIL  $machine  $1 sessions: " report || complain "$machine: not $1 sessions: $(cat report)"
    grep -q "shrunk to $(($2 + $3)) steps\|($(($2 + $3)) steps), seed" report || complain "$machine: another length: $(cat report)"
    [ "$(sed -nE 's/^ +(A +B( +[CD])*)$/\1 /p' report | tr -s ' ')" = "$letters" ] || complain "$machine: columns"
    [ "$(sed -nE 's/^  ([A-D])[0-9]+  [a-z].*/\1/p' report | sort -u | tr '\n' ' ')" = "$letters" ] || complain "$machine: names"
    for letter in $letters; do
        grep -q "\"name\":\"${letter}1\"" html || complain "$machine: the HTML does not name ${letter}1"
    done
}

# race MACHINE PLANTED SESSIONS LEFT BEFORE STEPS: found by SESSIONS sessions, of which LEFT remain.
race() {
    machine=$1 planted=$2 sessions=$3
    find_race "$machine.yaml" "$planted.sql" --seed "$seed" --report html=html || return
    shown "$4" "$5" "$6"
    "$PROGRAM" replay .pgfsm/"$machine"/*.trace --machine "$machine.yaml" --apply "$planted.sql" --sessions "$sessions" \
        -d postgres --color never >replayed 2>&1
    if [ $? != 1 ] || ! grep -q "^FAIL  $machine  $4 sessions: " replayed; then
        complain "$machine: the trace: $(cat replayed)"
    fi
    plays "out/$name.sql" 3 '^not ok 1 - '
    dropdb played
    sed "/$planted.sql/d; s/repeatable read/serializable/" "out/$name.sql" >out/right.sql
    plays out/right.sql 0 '^ok 1 - '
    dropdb played
    [ "$tester" = none ] || same_by_tester "$machine"
}

# holds MACHINE SESSIONS EXAMPLES
holds() {
    "$PROGRAM" run "$1-right.yaml" --sessions "$2" --seed 1 --examples "$3" -d postgres --color never >report 2>&1
    grep -q '^ok ' report || complain "$1: $(cat report)"
}

wanted() {
    [ "$#" -gt 1 ] || return 0
    name=$1
    shift
    for one; do
        [ "$one" != "$name" ] || return 0
    done
    return 1
}

for seed in ${SEEDS:-1}; do
    ! wanted circle "$@" || race circle circle-no-order 3 3 0 3
    # one of 400 examples finds it
    [ "$seed" != 1 ] || ! wanted circle4 "$@" || race circle4 circle-no-order 4 4 0 4
    ! wanted savings "$@" || race savings nothing 3 2 0 3
    ! wanted chain "$@" || race chain nothing 3 2 0 3
    ! wanted seats "$@" || race seats seats-no-lock 3 2 1 2
done
! wanted circle "$@" || holds circle 3 "${EXAMPLES:-100}"
for machine in savings chain seats; do
    ! wanted $machine "$@" || holds $machine 3 "${EXAMPLES:-100}"
done
! wanted circle4 "$@" || holds circle4 4 "${EXAMPLES:-100}"
exit "$failed"
