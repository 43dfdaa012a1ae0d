/*
 * Map: from numbers or texts to numbers or pointers, hashed, so that a look-up takes no longer
 * however many there are. Nothing is removed, and there is no order.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
    uint64_t key;     /* of a text, its hash */
    const char *text; /* borrowed; NULL: the entry is free */
    size_t size;      /* 0 for a number */
    union {
        size_t number;
        void *pointer;
    } to;
};

/* `{0}` is empty, and on the heap until map_free; `{.arena = …}` in the arena. */
struct map {
    struct arena *arena;
    struct map_entry *entries; /* open addressing */
    size_t capacity;           /* a power of two, or 0 */
    size_t count;
};

/* The key's entry, or NULL. Entries move when one is added. */
struct map_entry *map_find(const struct map *map, uint64_t key);
/* The same; a key that is new (then `count` grows) is added, with 0 or NULL. */
struct map_entry *map_add(struct map *map, uint64_t key);

bool map_get_text(const struct map *map, const char *text, size_t size, size_t *number);
/* Sets the text's number. True where the text is new; else `*old`, if not NULL, gets what it had.
 */
bool map_set_text(struct map *map, const char *text, size_t size, size_t number, size_t *old);
/* Of a map on the heap. It is empty then. */
void map_free(struct map *map);

#endif
