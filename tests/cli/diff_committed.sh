#!/bin/sh
# `pgfsm diff` with a machine whose steps are committed: a difference is found and shrunk, the migration runs between two
# steps, and each example begins with the same rows, also where it runs a second time.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

runs 1 diff "$top/machines/billing.yaml" --apply "$top/sql/bugs/billing-restart.sql" --seed 1 --examples 10 --no-save
out "DIFFERS  billing  invariant progress after bill_all"
out_lacks "after initialize"

# What the model expects is no mistake of the machine where the shorter sequence led to another state.
runs 1 diff "$top/machines/bounded_queue.yaml" --apply "$top/sql/bugs/bounded_queue-lowest-slot.sql" --seed 1 --examples 20 \
    --no-save
out "DIFFERS  bounded_queue"
left_nothing
finish
