#include "base/vec.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

void *vec_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
    assert(size > 0);
    assert(count <= *capacity);
    assert(items != NULL || count == 0);
    if (count == *capacity) {
        if (count > SIZE_MAX / 4 / size) {
            memory_exhausted();
        }
        *capacity = count ? count * 2 : 4;
        void *more = arena_alloc(arena, *capacity * size);
        if (count) {
            memcpy(more, items, count * size);
        }
        items = more;
    }
    memset((char *)items + count * size, 0, size);
    return items;
}
