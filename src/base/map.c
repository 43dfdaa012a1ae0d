#include "base/map.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 16 };

/* The text of entries whose key is a number. */
static const char no_text[] = "";

/* The key's entry, or the free one where it would go. */
static struct map_entry *place_of_key(const struct map *map, const struct map_entry *key)
{
    assert(map->count < map->capacity);
    assert((map->capacity & (map->capacity - 1)) == 0);
    size_t mask = map->capacity - 1;
    for (size_t at = (size_t)hash_mix(key->key) & mask;; at = (at + 1) & mask) {
        struct map_entry *entry = &map->entries[at];
        if (!entry->text || (entry->key == key->key && entry->size == key->size &&
                             memcmp(entry->text, key->text, key->size) == 0)) {
            return entry;
        }
    }
}

static void grow_map(struct map *map)
{
    struct map_entry *old = map->entries;
    size_t old_capacity = map->capacity;
    map->capacity = old_capacity ? old_capacity * 2 : CAPACITY_FIRST;
    size_t size = map->capacity * sizeof *map->entries;
    map->entries = map->arena ? arena_alloc(map->arena, size) : memory_alloc(size);
    memset(map->entries, 0, size);
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].text) {
            *place_of_key(map, &old[i]) = old[i];
        }
    }
    if (!map->arena) {
        free(old);
    }
}

static struct map_entry *find_entry(const struct map *map, struct map_entry key)
{
    struct map_entry *entry = map->capacity ? place_of_key(map, &key) : NULL;
    return entry && entry->text ? entry : NULL;
}

static struct map_entry *add_entry(struct map *map, struct map_entry key)
{
    if (map->count * 4 >= map->capacity * 3) {
        grow_map(map);
    }
    struct map_entry *entry = place_of_key(map, &key);
    if (!entry->text) {
        *entry = key;
        map->count++;
    }
    return entry;
}

struct map_entry *map_find(const struct map *map, uint64_t key)
{
    return find_entry(map, (struct map_entry){.key = key, .text = no_text});
}

struct map_entry *map_add(struct map *map, uint64_t key)
{
    return add_entry(map, (struct map_entry){.key = key, .text = no_text});
}

static struct map_entry text_key(const char *text, size_t size)
{
    return (struct map_entry){hash_bytes(HASH_START, text, size), text, size, {0}};
}

bool map_get_text(const struct map *map, const char *text, size_t size, size_t *number)
{
    assert(text != NULL);
    const struct map_entry *entry = find_entry(map, text_key(text, size));
    if (entry) {
        *number = entry->to.number;
    }
    return entry != NULL;
}

bool map_set_text(struct map *map, const char *text, size_t size, size_t number, size_t *old)
{
    assert(text != NULL);
    size_t before = map->count;
    struct map_entry *entry = add_entry(map, text_key(text, size));
    bool is_new = map->count > before;
    if (!is_new && old) {
        *old = entry->to.number;
    }
    entry->to.number = number;
    return is_new;
}

void map_free(struct map *map)
{
    assert(map->arena == NULL);
    free(map->entries);
    *map = (struct map){0};
}
