/* What the examples of a backend whose steps are committed work in, as a text. Between examples. */
#ifndef TESTS_PG_RESTORED_STATE_H
#define TESTS_PG_RESTORED_STATE_H

#include "example/backend.h"

struct restored_state {
    const char *database; /* its name */
    const char *text;     /* rows, sequences, catalog and what the session keeps, by lines */
};
struct restored_state restored_state(struct backend *backend, struct arena *arena);

/* What pg_dump writes of the scratch database; its lines sorted, as rows
 * have no order, and without those that differ from run to run. */
const char *restored_dump(struct backend *backend, struct arena *arena);

#endif
