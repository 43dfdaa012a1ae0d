/* The mutants of a schema: the catalog's, and the edits of its texts. */
#ifndef API_MUTANTS_H
#define API_MUTANTS_H

#include "mutate/mutant.h"
#include "pg/pg.h"

/* Adds all mutants of the backend's schema, in a fixed order, with their ids; in the arena. */
bool mutants_list(struct backend *backend, struct arena *arena, struct mutation *out,
                  struct error *err);

/* Finds out where these files, and those that they include, define what the mutants change. What
 * can't be read is left out. */
void mutants_find(struct mutation *mutation, const char *const *files, size_t count,
                  struct arena *arena);

#endif
