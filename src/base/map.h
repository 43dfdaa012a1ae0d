/*
 * A hash map from numbers or texts to numbers or pointers. Entries can't be removed, and have no
 * order.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
    uint64_t key;     /* the number, or the text's hash */
    const char *text; /* borrowed; NULL: the entry is free */
    size_t size;      /* 0 for a number */
    union {
        size_t number;
        void *pointer;
    } to;
};

/* `{0}` is an empty map on the heap; free it with map_free. `{.arena = …}` is an empty map in the
 * arena. */
struct map {
    struct arena *arena;
    struct map_entry *entries; /* open addressing */
    size_t capacity;           /* a power of two, or 0 */
    size_t count;
};

/* The key's entry, or NULL. Entries move when one is added. */
struct map_entry *map_find(const struct map *map, uint64_t key);
/* The same, but adds a new key, with 0 or NULL; `count` then grows. */
struct map_entry *map_add(struct map *map, uint64_t key);

bool map_get_text(const struct map *map, const char *text, size_t size, size_t *number);
/* Sets the number of a text. Returns true if the text is new; otherwise sets `*old`, if not NULL,
 * to the old number. */
bool map_set_text(struct map *map, const char *text, size_t size, size_t number, size_t *old);
/* Frees a map on the heap, and leaves it empty. */
void map_free(struct map *map);

#endif
