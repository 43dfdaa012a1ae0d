/*
 * Searches arrays of names, or of structs that have a name.
 *
 * size_t i = name_index("min_size", ROWS_OF(strategy->params, name));
 */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The arguments for the search: of structs with a member of type const char *, in a vector or an
 * array, and of names in a vector or an array. */
#define ROWS_OF(vector, member)                                                                    \
    (vector).items, (vector).count, sizeof *(vector).items,                                        \
        offsetof(__typeof__(*(vector).items), member)
#define ROWS_IN(array, member)                                                                     \
    (array), sizeof(array) / sizeof *(array), sizeof *(array),                                     \
        offsetof(__typeof__(*(array)), member)
#define NAMES_OF(vector) (vector).items, (vector).count, sizeof *(vector).items, 0
#define NAMES_IN(array) (array), sizeof(array) / sizeof *(array), sizeof *(array), 0

/* The index of the first of the items of `size` bytes that has the name at `offset`; `count` if
 * there is none. */
static inline size_t name_index(const char *name, const void *items, size_t count, size_t size,
                                size_t offset)
{
    const char *at = items;
    size_t i = 0;
    while (i < count &&
           strcmp(*(const char *const *)(const void *)(at + i * size + offset), name) != 0) {
        i++;
    }
    return i;
}

static inline bool name_is_in(const char *name, const void *items, size_t count, size_t size,
                              size_t offset)
{
    return name_index(name, items, count, size, offset) < count;
}

#endif
