/*
 * What goes into a database that SQL files are loaded into, as a key: whoever loads files with the
 * same key gets the same database.
 *
 * There is none where more goes in than the files and those that they include: psql commands that
 * run or read something else, SQL that reads files or asks other servers. The clock goes into
 * defaults like now(): a key is good for a day.
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
    const char *bindir; /* of the server: extensions lie in a folder that belongs to it */
};
struct ingredients_key {
    uint64_t parts[2];
};

/* Returns false if there is no key. */
bool ingredients_key(const struct ingredients *of, struct ingredients_key *out);

#endif
