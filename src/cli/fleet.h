/*
 * Shards of a run: which one this job is, and which run it belongs to, as the engine that started
 * it says: a service for CI, a scheduler, a cluster. docs/FLEET.md explains it to users.
 */
#ifndef CLI_FLEET_H
#define CLI_FLEET_H

#include "cli/options.h"

/* Sets the shard and the seed that are to come from the environment (SHARD_AUTO, SEED_AUTO), and
 * `run_id`. Appends to `said`, in words, which engine was believed, and whether an id of the run
 * makes the processes of a store share it; nothing if there is none.
 * Returns false, with lines in `problem`, if no engine says it, or two disagree. */
bool fleet_resolve(struct options *options, struct strbuf *said, struct strbuf *problem);

#endif
