/*
 * Dicts and sets: entries in the order of insertion, found by hash.
 *
 * Up to TABLE_LINEAR entries the hashes are searched one after the other; a bigger table has slots
 * (open addressing, linear probing) that hold an entry's index plus one. A removed entry becomes a
 * hole, and its slot stays, so that probing continues behind it. Both disappear when the entries
 * move.
 *
 * A table may lie over another one, whose entries come first. These stay in place; a removed or
 * replaced one is marked as gone.
 */
#include "value/entries.h"

#include <assert.h>
#include <string.h>

enum { TABLE_LINEAR = 8, TABLE_FIRST_CAPACITY = 4 };

void table_lay_over(struct table *table, const struct table *under)
{
    assert(table->count == 0 && table->used == 0 && !table->over && !under->over &&
           under->used == under->count);
    if (under->count) {
        struct table_over *over = ARENA_NEW(table->base.arena, struct table_over);
        over->table = under;
        over->gone = ARENA_ARRAY(table->base.arena, uint64_t, (under->used + WORD - 1) / WORD);
        table->over = over;
        table->count = under->count;
    }
}

static void put_slot(struct table *table, size_t index)
{
    assert(index < table->used);
    assert(table->used < table->slot_count && (table->slot_count & (table->slot_count - 1)) == 0);
    size_t mask = table->slot_count - 1;
    size_t at = table->entries[index].hash & mask;
    while (table->slots[at]) {
        at = (at + 1) & mask;
    }
    table->slots[at] = (uint32_t)(index + 1);
}

static void fill_slots(struct table *table)
{
    if (table->capacity <= TABLE_LINEAR) {
        return;
    }
    if (table->slot_count < table->capacity * 2) {
        table->slot_count = table->capacity * 2;
        table->slots = ARENA_ARRAY(table->base.arena, uint32_t, table->slot_count);
    } else {
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    }
    for (size_t i = 0; i < table->used; i++) {
        put_slot(table, i);
    }
}

/* Moves the live entries together, into a larger array if the holes don't give enough room. */
static void make_room(struct table *table)
{
    assert(table->used == table->capacity);
    struct table_entry *to = table->entries;
    if (table_own_count(table) >= table->capacity / 2) {
        table->capacity = table->capacity ? table->capacity * 2 : TABLE_FIRST_CAPACITY;
        if (table->capacity > UINT32_MAX / 2) {
            memory_exhausted();
        }
        to = arena_alloc(table->base.arena, table->capacity * sizeof *to);
    }
    size_t count = 0;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next_own(table, &i));) {
        to[count++] = *entry;
    }
    table->entries = to;
    table->used = count;
    table->first = 0;
    fill_slots(table);
}

bool table_set(struct table *table, struct value key, struct value value, struct error *err)
{
    assert(!table->base.frozen && table->base.iterating == 0);
    uint64_t hash;
    if (!value_hash(key, &hash, err)) {
        return false;
    }
    struct table_entry *entry = table_find_hashed(table, hash, key);
    if (entry && !table_is_under(table, entry)) {
        entry->value = value;
        return true;
    }
    if (entry) {
        table_remove(table, entry);
    }
    if (table->used == table->capacity) {
        make_room(table);
    }
    size_t index = table->used++;
    table->entries[index] =
        (struct table_entry){.hash = hash, .live = true, .key = key, .value = value};
    table->count++;
    if (table->slot_count) {
        put_slot(table, index);
    }
    return true;
}

bool table_find(const struct table *table, struct value key, struct table_entry **out,
                struct error *err)
{
    uint64_t hash;
    if (!value_hash(key, &hash, err)) {
        return false;
    }
    *out = table_find_hashed(table, hash, key);
    return true;
}

void table_remove(struct table *table, struct table_entry *entry)
{
    assert(!table->base.frozen);
    table->count--;
    if (table_is_under(table, entry)) {
        size_t index = (size_t)(entry - table->over->table->entries);
        assert(!table_is_gone(table->over, index));
        table->over->gone[index / WORD] |= (uint64_t)1 << (index % WORD);
        table->over->gone_count++;
        return;
    }
    assert(entry >= table->entries && entry < table->entries + table->used && entry->live);
    entry->live = false;
    entry->key = entry->value = value_none();
    while (table->first < table->used && !table->entries[table->first].live) {
        table->first++;
    }
}

void table_clear(struct table *table)
{
    assert(!table->base.frozen && table->base.iterating == 0);
    table->used = table->count = table->first = 0;
    table->over = NULL;
    if (table->slot_count) {
        memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    }
}
