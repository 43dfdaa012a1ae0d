/*
 * The cache of data directories that initdb created, for the next start.
 *
 * One per installation of PostgreSQL, under $XDG_CACHE_HOME/pgfsm or ~/.cache/pgfsm. An entry is
 * written under another name and renamed, so that it is complete even if several processes write
 * one. No server runs in an entry; it is only copied. An error here costs only time: there is no
 * cache then.
 */
#ifndef PG_CACHE_H
#define PG_CACHE_H

#include "base/arena.h"

#include <stdbool.h>

struct cache {
    const char *dir;   /* folder of all entries; NULL: no cache */
    const char *entry; /* path of the entry for this installation */
};

/* `bindir`: the server's programs. Texts are in the arena. */
struct cache cache_find(const char *bindir, struct arena *arena);
bool cache_has(const struct cache *cache);
/* Copies the data directory of a stopped server into the cache; removes entries of older programs
 * in the same place. */
void cache_store(const struct cache *cache, const char *data, struct arena *arena);
/* Removes an entry that turned out to be unusable. */
void cache_forget(const struct cache *cache);

#endif
