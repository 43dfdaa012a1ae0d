#include "value/seen.h"

#include "base/arena.h"
#include "value/walk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct seen_entry *seen_slot(const struct seen *seen, const void *from)
{
    size_t mask = seen->capacity - 1;
    size_t at = (size_t)hash_mix((uint64_t)(uintptr_t)from) & mask;
    while (seen->entries[at].from && seen->entries[at].from != from) {
        at = (at + 1) & mask;
    }
    return &seen->entries[at];
}

static void seen_grow(struct seen *seen)
{
    struct seen old = *seen;
    seen->capacity = old.capacity ? old.capacity * 2 : 16;
    seen->entries = memory_alloc(seen->capacity * sizeof *seen->entries);
    memset(seen->entries, 0, seen->capacity * sizeof *seen->entries);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].from) {
            *seen_slot(seen, old.entries[i].from) = old.entries[i];
        }
    }
    free(old.entries);
}

struct seen_entry *seen_entry(struct seen *seen, const void *from)
{
    if (seen->count * 2 >= seen->capacity) {
        seen_grow(seen);
    }
    struct seen_entry *entry = seen_slot(seen, from);
    if (!entry->from) {
        entry->from = from;
        seen->count++;
    }
    return entry;
}

void seen_free(struct seen *seen)
{
    free(seen->entries);
    *seen = (struct seen){0};
}
