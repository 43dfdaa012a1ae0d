#include "gen/memory.h"

#include <assert.h>

struct memory_entry {
    uint64_t key;
    size_t added; /* in all; the ring holds the last MEMORY_KEPT of them */
    struct choices kept[MEMORY_KEPT];
};

struct draw_memory {
    struct arena *arena;
    VEC(struct memory_entry) entries;
    size_t items_added; /* in all */
    struct value items[MEMORY_ITEMS];
};

struct draw_memory *draw_memory_new(struct arena *arena)
{
    struct draw_memory *memory = ARENA_NEW(arena, struct draw_memory);
    memory->arena = arena;
    return memory;
}

static struct memory_entry *find_entry(const struct draw_memory *memory, uint64_t key)
{
    for (size_t i = 0; i < memory->entries.count; i++) {
        if (memory->entries.items[i].key == key) {
            return &memory->entries.items[i];
        }
    }
    return NULL;
}

void memory_add(struct draw_memory *memory, uint64_t key, const struct choice *choices,
                size_t count)
{
    assert(choices != NULL || count == 0);
    struct memory_entry *entry = find_entry(memory, key);
    if (count == 0 || count > MEMORY_CHOICES_MAX ||
        (!entry && memory->entries.count == MEMORY_KEYS_MAX)) {
        return;
    }
    if (!entry) {
        entry = VEC_PUSH(memory->arena, &memory->entries);
        entry->key = key;
    }
    struct choices *slot = &entry->kept[entry->added++ % MEMORY_KEPT];
    slot->items.count = 0;
    for (size_t i = 0; i < count; i++) {
        *VEC_PUSH(memory->arena, &slot->items) = choices[i];
    }
}

/* The place `back` before the last one, in a ring of `size` to which `added` were added. */
static size_t ring_place(size_t added, size_t size, size_t back)
{
    assert(back < added && back < size);
    return (added - 1 - back) % size;
}

const struct choices *memory_pick(const struct draw_memory *memory, uint64_t key, struct rng *rng)
{
    const struct memory_entry *entry = find_entry(memory, key);
    if (!entry) {
        return NULL;
    }
    size_t kept = entry->added < MEMORY_KEPT ? entry->added : MEMORY_KEPT;
    size_t back = rng_one_in(rng, 2) ? 0 : rng_below(rng, kept);
    return &entry->kept[ring_place(entry->added, MEMORY_KEPT, back)];
}

void memory_add_item(struct draw_memory *memory, struct value item)
{
    memory->items[memory->items_added++ % MEMORY_ITEMS] = item;
}

bool memory_item(const struct draw_memory *memory, size_t back, struct value *out)
{
    size_t kept = memory->items_added < MEMORY_ITEMS ? memory->items_added : MEMORY_ITEMS;
    if (back >= kept) {
        return false;
    }
    *out = memory->items[ring_place(memory->items_added, MEMORY_ITEMS, back)];
    return true;
}
