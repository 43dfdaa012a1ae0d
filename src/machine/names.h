/*
 * Names: a hash map from text to a number, in an arena. For anchors, keys and everything else that
 * is looked up by name while a file is read: however many there are, a look-up takes no longer.
 */
#ifndef MACHINE_NAMES_H
#define MACHINE_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct name_entry;

/* `{.arena = …}` is valid and empty. */
struct names {
    struct arena *arena;
    struct name_entry *entries; /* `capacity`, a power of two */
    size_t capacity;
    size_t count;
};

/* Sets the name's number. The name is borrowed (`size` bytes). True where it was not there before;
 * else `*old`, if not NULL, gets what it had. */
bool names_set(struct names *names, const char *name, size_t size, size_t number, size_t *old);
bool names_find(const struct names *names, const char *name, size_t size, size_t *number);

#endif
