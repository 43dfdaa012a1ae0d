#include "value/seen.h"

#include "base/arena.h"
#include "value/walk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t room(const struct seen *seen) { return seen->entries ? seen->capacity : SEEN_FEW; }

static struct seen_entry *seen_slot(struct seen *seen, const void *from)
{
    struct seen_entry *entries = seen->entries ? seen->entries : seen->few;
    size_t mask = room(seen) - 1;
    size_t at = (size_t)hash_mix((uint64_t)(uintptr_t)from) & mask;
    while (entries[at].from && entries[at].from != from) {
        at = (at + 1) & mask;
    }
    return &entries[at];
}

static void seen_grow(struct seen *seen)
{
    struct seen_entry few[SEEN_FEW];
    memcpy(few, seen->few, sizeof few);
    struct seen_entry *old = seen->entries;
    const struct seen_entry *items = old ? old : few;
    size_t count = room(seen);
    seen->capacity = count * 2;
    seen->entries = memory_alloc(seen->capacity * sizeof *seen->entries);
    memset(seen->entries, 0, seen->capacity * sizeof *seen->entries);
    for (size_t i = 0; i < count; i++) {
        if (items[i].from) {
            *seen_slot(seen, items[i].from) = items[i];
        }
    }
    free(old);
}

struct seen_entry *seen_entry(struct seen *seen, const void *from)
{
    if (seen->count * 2 >= room(seen)) {
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
