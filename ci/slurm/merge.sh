#!/bin/sh
#SBATCH --job-name=pgfsm-merge
#SBATCH --ntasks=1
#SBATCH --output=pgfsm-merge-%j.log
# Merges the shards of a run when the tasks of its Slurm array have ended. docs/FLEET.md shows how to submit it.
#
#   sbatch --dependency=afterany:ARRAY merge.sh ARRAY [OPTION...]
#
# The options are those of the shards. The reports are text (in the log), JUnit and HTML.
set -eu
folder=shards/$1
shift
exec "${PGFSM:-pgfsm}" merge "$folder"/*.json "$@" --report text --report "junit=$folder/pgfsm.xml" \
    --report "html=$folder/pgfsm.html"
