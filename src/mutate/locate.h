/* Where the files of a schema define what mutants change. */
#ifndef MUTATE_LOCATE_H
#define MUTATE_LOCATE_H

#include "mutate/mutant.h"

/* Sets the `change` of all mutants, and the `statement`, `pos` and `size` of those whose object a
 * statement of the sources (SQL files) creates or grants: of the words that change, if these stand
 * there as the catalog gives them; otherwise of the object's name, or its table's. */
void mutants_locate(struct mutant *mutants, size_t count, const struct source *const *sources,
                    size_t source_count, struct arena *arena);

#endif
