/* What a session has locked, read and written, as a state to compare with a later one. */
#ifndef PG_LOCKS_LOOK_H
#define PG_LOCKS_LOOK_H

#include "example/blocking.h"
#include "pg/session/wire.h"

struct look_relation {
    uint32_t id;
    const char *name; /* NULL: it is dropped */
    char kind;        /* pg_class.relkind */
    uint32_t file;    /* relfilenode; 0: it has none */
    uint32_t space;
    uint32_t table; /* of an index */
    uint64_t scans; /* of the whole relation */
    uint64_t read;  /* rows */
    uint64_t written;
    unsigned modes; /* a bit for each mode in which it is locked: 1 << LOOK_… */
};
struct look {
    VEC(struct look_relation) items; /* by id */
};

/* Of whose work the counters are. */
enum look_counters { LOOK_TRANSACTION, LOOK_ALL };

/* As the session of the wire sees it; locks are those of process `pid`. */
bool look_take(struct wire *wire, int pid, enum look_counters counters, struct arena *arena,
               struct look *out, struct error *err);
/* NULL: it is not there. */
const struct look_relation *look_find(const struct look *look, uint32_t id);

/* Between two looks, the locks that are new, in a mode that a lock of the first one does not
 * include; of several, the strongest ones. `known`: what everybody sees; names of what is dropped
 * are there. */
void look_locks(const struct look *known, const struct look *before, const struct look *after,
                struct arena *arena, struct blocking_statement *out);
/* The relations that were there before whose rows were read or written. `truncates`: a new file
 * alone says nothing. */
void look_touched(const struct look *before, const struct look *after, bool truncates,
                  struct arena *arena, struct blocking_statement *out);

/* A mode's bit by its name in pg_locks; 0: there is none of that name. */
unsigned look_mode(const char *name);
/* Whether a lock in the first modes excludes one in the second ones. */
bool look_excludes(unsigned held, unsigned wanted);
/* A bit's name. */
const char *look_mode_name(unsigned bit);

#endif
