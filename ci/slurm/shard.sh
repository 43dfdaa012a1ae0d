#!/bin/sh
#SBATCH --job-name=pgfsm
#SBATCH --ntasks=1
#SBATCH --output=pgfsm-%A-%a.log
# One shard of a run, as a task of a Slurm array. docs/FLEET.md shows how to submit it.
#
#   sbatch --array=1-N shard.sh MACHINE... [OPTION...]
#
# It leaves its report in shards/ID-OF-THE-ARRAY/, which must be in a folder that all nodes share.
set -eu
folder=shards/$SLURM_ARRAY_JOB_ID
mkdir -p "$folder"
exec "${PGFSM:-pgfsm}" run "$@" --shard auto --seed auto --no-save --report "json=$folder/$SLURM_ARRAY_TASK_ID.json"
