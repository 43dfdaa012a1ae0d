#ifndef PGFSM_MERGE_H
#define PGFSM_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include <pgfsm/errors.h>
#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * Merges the reports of shards: a run with `merge` in its options counts the examples that passed
 * in a shard without running them, and runs those that failed. Its results are those of a run
 * without shards.
 */
struct pgfsm_merge;

/* Reads reports in the format "json". They must be of the same runs, and complete: each shard of
 * each machine once. Returns false, with *out NULL and `errors`, if they are not. */
bool pgfsm_merge_new(struct pgfsm_merge **out, const char *const *reports, size_t count,
                     struct pgfsm_errors *errors);
/* The path of the machine at `index`, from 0, in the order of the first report; NULL past the end.
 * Borrowed. */
const char *pgfsm_merge_path(const struct pgfsm_merge *merge, size_t index);
/* The command that made the reports: "run", "mutate" or "diff". Borrowed. */
const char *pgfsm_merge_command(const struct pgfsm_merge *merge);
/* Whether that command made the machine, so that it is named by no path. */
bool pgfsm_merge_is_made(const struct pgfsm_merge *merge);
/* The options of its run, as its first report has them: " --examples 100". Borrowed. */
const char *pgfsm_merge_options(const struct pgfsm_merge *merge, size_t index);
/* Ignores NULL. No run may use it any more. */
void pgfsm_merge_free(struct pgfsm_merge *merge);

PGFSM_END

#endif
