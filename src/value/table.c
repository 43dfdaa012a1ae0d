/*
 * Dicts and sets: entries in the order of insertion, found by hash.
 *
 * Up to TABLE_LINEAR entries the hashes are searched one after the other; a bigger table has slots
 * (open addressing, linear probing) that hold an entry's index plus one. A removed entry becomes a
 * hole and its slot stays, so that probing goes on behind it; both go when the entries move.
 *
 * A table may lie over another one, whose entries are its first ones. They stay where they are; one
 * that is removed or replaced is marked as gone.
 */
#include "value/value.h"

#include <assert.h>
#include <string.h>

enum { TABLE_LINEAR = 8, TABLE_FIRST_CAPACITY = 4 };

static size_t under_count(const struct table *table)
{
    return table->over ? table->over->table->used : 0;
}

/* The entries that are its own. */
static size_t own_count(const struct table *table)
{
    return table->over ? table->count - (under_count(table) - table->over->gone_count)
                       : table->count;
}

enum { WORD = 64 };

static bool is_gone(const struct table_over *over, size_t index)
{
    return over->gone[index / WORD] >> (index % WORD) & 1;
}

static struct table_entry *next_own(const struct table *table, size_t *at)
{
    *at = *at < table->first ? table->first : *at;
    while (*at < table->used) {
        struct table_entry *entry = &table->entries[(*at)++];
        if (entry->live) {
            return entry;
        }
    }
    return NULL;
}

static bool is_under(const struct table *table, const struct table_entry *entry)
{
    return table->over && entry >= table->over->table->entries &&
           entry < table->over->table->entries + under_count(table);
}

size_t table_places(const struct table *table) { return under_count(table) + table->used; }

size_t table_place(const struct table *table, const struct table_entry *entry)
{
    return is_under(table, entry) ? (size_t)(entry - table->over->table->entries)
                                  : under_count(table) + (size_t)(entry - table->entries);
}

struct table_entry *table_at(const struct table *table, size_t place)
{
    size_t under = under_count(table);
    assert(place < table_places(table));
    if (place < under) {
        return is_gone(table->over, place) ? NULL : &table->over->table->entries[place];
    }
    struct table_entry *entry = &table->entries[place - under];
    return entry->live ? entry : NULL;
}

struct table_entry *table_next(const struct table *table, size_t *at)
{
    size_t under = under_count(table);
    while (*at < under) {
        struct table_entry *entry = table_at(table, (*at)++);
        if (entry) {
            return entry;
        }
    }
    size_t own = *at - under;
    struct table_entry *entry = next_own(table, &own);
    *at = under + own;
    return entry;
}

/* How many entries below it are gone. */
static size_t gone_before(const struct table_over *over, size_t place)
{
    size_t gone = 0;
    for (size_t i = 0; over->gone_count && i < place / WORD; i++) {
        gone += (size_t)__builtin_popcountll(over->gone[i]);
    }
    for (size_t i = place / WORD * WORD; over->gone_count && i < place; i++) {
        gone += is_gone(over, i);
    }
    return gone;
}

size_t table_position(const struct table *table, size_t place)
{
    size_t under = under_count(table);
    if (table_places(table) == table->count) {
        return place;
    }
    if (place <= under) {
        return place - (table->over ? gone_before(table->over, place) : 0);
    }
    size_t position = table->count - own_count(table);
    for (size_t i = table->first; i < place - under; i++) {
        position += table->entries[i].live;
    }
    return position;
}

size_t table_select(const struct table *table, size_t position)
{
    size_t under = under_count(table);
    size_t left = table->count - own_count(table);
    assert(position < table->count);
    if (table_places(table) == table->count) {
        return position;
    }
    size_t at = 0;
    if (position >= left) {
        at = under;
        position -= left;
    } else {
        /* each of the gone moves it on by one at most, so it is not before */
        for (at = position; at - gone_before(table->over, at) < position;) {
            at += position - (at - gone_before(table->over, at));
        }
    }
    const struct table_entry *entry = table_next(table, &at);
    for (size_t i = 0; at > under && i < position; i++) {
        entry = table_next(table, &at);
    }
    return table_place(table, entry);
}

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

/* Moves the live entries together, into more room where holes don't give enough. */
static void make_room(struct table *table)
{
    assert(table->used == table->capacity);
    struct table_entry *to = table->entries;
    if (own_count(table) >= table->capacity / 2) {
        table->capacity = table->capacity ? table->capacity * 2 : TABLE_FIRST_CAPACITY;
        if (table->capacity > UINT32_MAX / 2) {
            memory_exhausted();
        }
        to = arena_alloc(table->base.arena, table->capacity * sizeof *to);
    }
    size_t count = 0;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = next_own(table, &i));) {
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
    if (entry && !is_under(table, entry)) {
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

struct table_entry *table_first(const struct table *table)
{
    size_t at = 0;
    return table_next(table, &at);
}

void table_remove(struct table *table, struct table_entry *entry)
{
    assert(!table->base.frozen);
    table->count--;
    if (is_under(table, entry)) {
        size_t index = (size_t)(entry - table->over->table->entries);
        assert(!is_gone(table->over, index));
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
