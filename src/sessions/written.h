/* Which statements of a call write several rows, as its gates tell. */
#ifndef SESSIONS_WRITTEN_H
#define SESSIONS_WRITTEN_H

#include "base/arena.h"
#include "example/lanes.h"

/* Row gates behind a crossing at which it matters that the call stops: some rows are locked then,
 * and others are not yet. */
struct written_rows {
    unsigned crossing;
    unsigned first;
    unsigned last;
};

/* A statement that has begun to write. */
struct writing {
    const char *what; /* "UPDATE" */
    const char *schema;
    const char *table;
    uint64_t before;  /* rows that were written then */
    unsigned rows_at; /* crossing behind which its row gates come */
    bool several;     /* the statement does other things to the table, too */
};

struct written {
    struct arena *arena;
    VEC(struct writing) open;
    VEC(struct written_rows) rows;
    VEC(unsigned) ends; /* crossings at which a statement ended, in ascending order */
};

/* The call came to a gate that is none of a row, its crossing of this number. */
void written_crossed(struct written *written, const struct lane_gate *gate, unsigned crossing);

#endif
