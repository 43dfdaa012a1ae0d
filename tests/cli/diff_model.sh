#!/bin/sh
# `pgfsm diff` with a machine: the model only leads. What it expects is no mistake of the machine where a shorter sequence
# led to another state.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

runs 1 diff "$top/machines/bounded_queue.yaml" --apply "$top/sql/bugs/bounded_queue-lowest-slot.sql" --seed 1 --examples 20 \
    --no-save
out "DIFFERS  bounded_queue"
left_nothing
finish
