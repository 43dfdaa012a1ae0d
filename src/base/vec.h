/*
 * Vector: a growing array of one type in an arena.
 *
 *     VEC(struct value) items = {0};
 *     *VEC_PUSH(arena, &items) = value_none();      // VEC_PUSH gives the address of a zeroed new
 * item
 *
 * The items move when it grows; the old ones stay in the arena, so a vector wastes at most as much
 * as it holds. A vector in a struct is declared by VEC(type) in place.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#include <stddef.h>

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* Adds a zeroed item at the end, and gives its address. */
#define VEC_PUSH(arena, vec)                                                                       \
    ((vec)->items =                                                                                \
         vec_grow((arena), (vec)->items, (vec)->count, &(vec)->capacity, sizeof *(vec)->items),    \
     &(vec)->items[(vec)->count++])

/* Gives the vector items of its own, in the arena. */
#define VEC_OWN(arena, vec)                                                                        \
    ((vec)->items = arena_memdup((arena), (vec)->items, (vec)->count * sizeof *(vec)->items),      \
     (vec)->capacity = (vec)->count)

/* Returns the items, with room for one more, which is zeroed; `capacity` is in items. */
void *vec_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);

#endif
