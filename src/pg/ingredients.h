/*
 * What goes into a database that SQL files are loaded into, as a key: whoever loads files with the
 * same key gets the same database.
 *
 * There is none where more goes in than the files and those that they include: psql commands that
 * run or read something else, SQL that reads files or asks other servers. Where the clock goes in,
 * the database is the same only for a short time.
 */
#ifndef PG_INGREDIENTS_H
#define PG_INGREDIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ingredients {
    const char *const *files; /* loaded in this order, */
    size_t count;
    const char *const *more; /* and then these */
    size_t more_count;
    const char *bindir;      /* of the server: extensions and dictionaries belong to it */
    const int64_t *clock_us; /* its time stands still there; NULL: it passes */
};
struct ingredients_key {
    uint64_t parts[2];
    uint64_t max_age_s; /* how old a database may be that stands for another one; 0: any age */
};

/* Returns false if there is no key. */
bool ingredients_key(const struct ingredients *of, struct ingredients_key *out);

#endif
