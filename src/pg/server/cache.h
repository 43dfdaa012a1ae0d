/*
 * The cache of initialised data directories: what initdb made, kept for the next start.
 *
 * One per installation of PostgreSQL, under $XDG_CACHE_HOME/pgfsm or ~/.cache/pgfsm. An entry is
 * made aside and renamed, so it is whole or not there, whoever else makes one at the same time. It
 * is never run, only copied. Whatever goes wrong here costs time only: then there is no cache.
 */
#ifndef PG_CACHE_H
#define PG_CACHE_H

#include "base/arena.h"

#include <stdbool.h>

struct cache {
    const char *dir;   /* of all entries; NULL: there can be none */
    const char *entry; /* path of the entry for this installation */
};

/* `bindir`: the server's programs. Texts are in the arena. */
struct cache cache_find(const char *bindir, struct arena *arena);
bool cache_has(const struct cache *cache);
/* Copies a data directory, of a server that is not running, into the cache; removes entries of
 * older programs in the same place. */
void cache_store(const struct cache *cache, const char *data, struct arena *arena);
/* Removes the entry: it turned out to be of no use. */
void cache_forget(const struct cache *cache);

#endif
