#!/bin/sh
# deploy.sh SEEDS EXAMPLES NAME...
#
# Deployments that fail, and the same ones done right (deploy/NAME): each of SEEDS seeds finds the failure of the wrong
# one, and the right one holds over EXAMPLES examples, with one session and with two.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
common_begin
trap common_end EXIT
seeds=$1
examples=$2
shift 2
cp -R "$here/deploy" .
cd deploy || exit 1

# race NAME: the failure shows with two sessions only
race() { [ "$1" = backfill ]; }
# What blocks others is a requirement that is not met.
status_of() { [ "$1" = lock_queue ] && echo 4 || echo 1; }

for name in "$@"; do
    for side in wrong right; do
        sed "s#$name/#$name/$side/#g" "$name.yaml" >"$side.yaml"
    done
    sessions=1
    race "$name" && sessions=2
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        runs "$(status_of "$name")" run wrong.yaml --sessions "$sessions" --seed "$seed" --no-save
        seed=$((seed + 1))
    done
    runs 0 run right.yaml --seed 1 --examples "$examples" --no-save
    runs 0 run right.yaml --seed 2 --examples "$examples" --no-save --sessions 2
    ! race "$name" || runs 0 run wrong.yaml --seed 1 --examples "$examples" --no-save
done
left_nothing
finish
