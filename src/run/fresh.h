/*
 * Fresh examples. Which of them are made by mutation, and of which: after a while some replay a
 * changed trace of earlier ones instead of beginning with nothing.
 *
 * An example has to follow from the seed and its number alone, whoever runs it and whatever ran
 * before. So its parents are picked by number, among the few before it that are not mutated
 * themselves, and their traces are those that running them again would give. The last traces are
 * kept to save that; how many does not depend on the length of a run.
 */
#ifndef RUN_FRESH_H
#define RUN_FRESH_H

#include "example/example.h"

struct ancestry;

/* In `arena`; to be freed all the same. */
struct ancestry *ancestry_new(struct arena *arena);
void ancestry_free(struct ancestry *ancestry);

/* Whether the example replays a mutated trace. */
bool is_mutated(uint64_t seed, uint64_t number);

/* Runs fresh example `number`, from 1, as example_run does, its parents before it where their
 * traces are not kept: they count nowhere. `result` is that of a parent only where that can't go
 * on. */
bool fresh_run(struct ancestry *ancestry, struct engine *engine, uint64_t number,
               struct example_result *result, struct error *err);

#endif
