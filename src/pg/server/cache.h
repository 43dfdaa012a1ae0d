/*
 * The cache of data directories, for the next start: as initdb creates them, one per installation
 * of PostgreSQL; and with a schema loaded, one per key of what went into it (pg/ingredients.h).
 *
 * It lies under $XDG_CACHE_HOME/pgfsm or ~/.cache/pgfsm. An entry is one file (os/tree.h). It is
 * written under another name and renamed; its checksum tells whether all of it has reached the
 * disk. An error here costs only time: there is no cache then.
 */
#ifndef PG_CACHE_H
#define PG_CACHE_H

#include "base/arena.h"
#include "os/process.h"
#include "os/tree.h"
#include "pg/ingredients.h"
#include "pg/pg.h"

#include <stdbool.h>
#include <stdint.h>

struct cache {
    const char *dir;     /* folder of all entries; NULL: no cache */
    const char *entry;   /* path of the entry; NULL if there is none */
    const char *install; /* names the installation, in names of entries */
    uint64_t max_age_s;  /* an older entry is none; 0: of any age */
};

/* `bindir`: the server's programs. Texts are in the arena. */
struct cache cache_find(const char *bindir, struct arena *arena);
/* The entry of the same installation for a database with that key. */
struct cache cache_of_loaded(const struct cache *cache, const struct ingredients_key *key,
                             struct arena *arena);
bool cache_has(const struct cache *cache);
/* Copies the entry to a path that must not exist. If that fails, it leaves nothing there. */
enum unpacked cache_copy(const struct cache *cache, const char *to, const struct os_user *owner);
/* Copies the data directory of a server into the cache: one that is stopped, or has just written a
 * checkpoint and does nothing. Removes what was not used for longest, beyond CACHE_MAX. */
void cache_store(const struct cache *cache, const char *data, struct arena *arena);
#define CACHE_MAX (UINT64_C(2) << 30) /* bytes, of all entries together */
/* Removes what was not used for longest, until no more than that is left. */
void cache_trim(const struct cache *cache, uint64_t most);
/* Where copies of servers are (pg/server/packaged.h); NULL: nowhere. */
const char *cache_servers_dir(struct arena *arena);
/* Returns true if it is a folder of ours that nobody else may write to. */
bool cache_dir_is_ours(const char *dir);
/* Removes an entry that turned out to be unusable. */
void cache_forget(const struct cache *cache);

#endif
