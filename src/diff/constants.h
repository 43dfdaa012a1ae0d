/* Uuids that stand in the texts of a schema: no server makes them. Each is its own partner, so that
 * another one in the other schema is a difference, and no pair. */
#ifndef DIFF_CONSTANTS_H
#define DIFF_CONSTANTS_H

#include "diff/pairs.h"
#include "example/backend.h"

/* Notes those of functions, defaults, constraints and policies of both schemas, as they are now. */
bool constants_note(struct backend *const backends[2], struct pairs *const *pairs, size_t count,
                    struct error *err);

#endif
