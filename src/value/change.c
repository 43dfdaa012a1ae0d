#include "value/change.h"

#include "base/hash.h"
#include "value/number/numeric.h"

static uint64_t hash_of(struct value value) { return value_hash_deep(&(struct walk){0}, value); }

/* Entries that are equal in both add up to nothing. */
static uint64_t entries_change(struct walk *walk, struct arena *arena, const struct table *before,
                               const struct table *after)
{
    enum { REMOVED = 1, ADDED };
    const struct table_entry *entry;
    uint64_t sum = 0;
    for (size_t i = 0; (entry = table_next(before, &i));) {
        if (!table_find_hashed(after, entry->hash, entry->key)) {
            sum += hash_mix(entry->hash ^ hash_mix(REMOVED));
        }
    }
    for (size_t i = 0; (entry = table_next(after, &i));) {
        const struct table_entry *old = table_find_hashed(before, entry->hash, entry->key);
        uint64_t change = old ? value_change_hash(walk, arena, old->value, entry->value)
                              : hash_mix(hash_of(entry->value) ^ hash_mix(ADDED));
        sum += change ? hash_mix(entry->hash ^ change) : 0;
    }
    return sum;
}

/* Items that come and go count wherever they are, as a list may be sorted. */
static uint64_t items_change(struct walk *walk, struct arena *arena, struct items before,
                             struct items after)
{
    uint64_t sum = 0;
    for (size_t i = 0; before.count == after.count && i < after.count; i++) {
        uint64_t change = value_change_hash(walk, arena, before.items[i], after.items[i]);
        sum += change ? hash_mix(i ^ change) : 0;
    }
    for (size_t i = 0; before.count != after.count && i < before.count; i++) {
        sum -= hash_mix(hash_of(before.items[i]));
    }
    for (size_t i = 0; before.count != after.count && i < after.count; i++) {
        sum += hash_mix(hash_of(after.items[i]));
    }
    return sum;
}

static uint64_t parts_change(struct walk *walk, struct arena *arena, struct value before,
                             struct value after)
{
    uint64_t change = 0;
    if (walk_enter(walk, after)) {
        change = value_is_table(after)
                     ? entries_change(walk, arena, before.as.table, after.as.table)
                     : items_change(walk, arena, value_items(before), value_items(after));
        walk_leave(walk);
    }
    return hash_mix(change ^ hash_mix(after.type));
}

/* NOLINTNEXTLINE(misc-no-recursion): `walk` counts the depth */
uint64_t value_change_hash(struct walk *walk, struct arena *arena, struct value before,
                           struct value after)
{
    struct value by;
    if (value_equal(before, after)) {
        return 0;
    }
    if (value_is_number(before) && value_is_number(after) &&
        number_arith(arena, ARITH_SUB, after, before, &by, NULL)) {
        return hash_mix(number_hash(by));
    }
    bool parts =
        before.type == after.type &&
        (value_is_table(after) || value_items(after).count > 0 || value_items(before).count > 0);
    return parts ? parts_change(walk, arena, before, after) : hash_mix(1 ^ hash_of(after));
}
