/*
 * The counts of one example as JSON, and back: what a shard reports of each example, so that the
 * counts of all shards can be merged in the order of the examples' numbers.
 *
 * Durations are left out: they differ from run to run.
 */
#ifndef EXAMPLE_COUNTS_H
#define EXAMPLE_COUNTS_H

#include "base/json.h"
#include "example/stats.h"

/* Adds the counts of one example as members of the open object. Counts of 0 are left out. */
void counts_write(struct json *json, const struct run_stats *example,
                  const struct machine *machine);
/* Reads them into `out`, in the arena. False with ERROR_MACHINE if `members`, a dict, does not fit
 * the machine. */
bool counts_read(struct value members, const struct machine *machine, struct arena *arena,
                 struct run_stats *out, struct error *err);

#endif
