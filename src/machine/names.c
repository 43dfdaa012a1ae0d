#include "machine/names.h"

#include <stdint.h>
#include <string.h>

struct name_entry {
    const char *name; /* NULL: free */
    size_t size;
    size_t number;
};

/* FNV-1a */
static uint64_t hash(const char *name, size_t size)
{
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)name[i]) * 1099511628211U;
    }
    return hash;
}

/* The name's entry, or the free one where it would go. */
static struct name_entry *place(const struct names *names, const char *name, size_t size)
{
    size_t mask = names->capacity - 1;
    size_t at = (size_t)hash(name, size) & mask;
    for (;; at = (at + 1) & mask) {
        struct name_entry *entry = &names->entries[at];
        if (!entry->name || (entry->size == size && !memcmp(entry->name, name, size))) {
            return entry;
        }
    }
}

static void grow(struct names *names)
{
    struct names bigger = *names;
    bigger.capacity = names->capacity ? names->capacity * 2 : 16;
    bigger.entries = ARENA_ARRAY(names->arena, struct name_entry, bigger.capacity);
    for (size_t i = 0; i < names->capacity; i++) {
        const struct name_entry *entry = &names->entries[i];
        if (entry->name) {
            *place(&bigger, entry->name, entry->size) = *entry;
        }
    }
    *names = bigger;
}

bool names_set(struct names *names, const char *name, size_t size, size_t number, size_t *old)
{
    if (names->count * 4 >= names->capacity * 3) {
        grow(names);
    }
    struct name_entry *entry = place(names, name, size);
    bool is_new = !entry->name;
    if (!is_new && old) {
        *old = entry->number;
    }
    names->count += is_new;
    *entry = (struct name_entry){.name = name, .size = size, .number = number};
    return is_new;
}

bool names_find(const struct names *names, const char *name, size_t size, size_t *number)
{
    const struct name_entry *entry = names->capacity ? place(names, name, size) : NULL;
    if (!entry || !entry->name) {
        return false;
    }
    *number = entry->number;
    return true;
}
