/* Equality, and the entries of a table that are found by it. */
#include "value/number/numeric.h"
#include "value/object.h"
#include "value/walk.h"

#include <stdlib.h>
#include <string.h>

static bool equal(struct walk *walk, struct value a, struct value b);

static bool equal_items(struct walk *walk, struct items a, struct items b)
{
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) {
        same = equal(walk, a.items[i], b.items[i]);
    }
    return same;
}

/* True if the tables have the same size, and every key of `a` is in `b` with an equal value. */
static bool equal_tables(struct walk *walk, const struct table *a, const struct table *b)
{
    if (a->count != b->count) {
        return false;
    }
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(a, &i));) {
        const struct table_entry *other = table_find_hashed(b, entry->hash, entry->key);
        if (!other || !equal(walk, entry->value, other->value)) {
            return false;
        }
    }
    return true;
}

struct bag_item {
    uint64_t hash;
    struct value value;
};

static int by_hash(const void *a, const void *b)
{
    const struct bag_item *left = a;
    const struct bag_item *right = b;
    return (left->hash > right->hash) - (left->hash < right->hash);
}

static struct bag_item *bag_items(struct walk *walk, const struct list *list)
{
    struct bag_item *items = memory_alloc(list->count * sizeof *items);
    for (size_t i = 0; i < list->count; i++) {
        items[i] = (struct bag_item){value_hash_deep(walk, list->items[i]), list->items[i]};
    }
    qsort(items, list->count, sizeof *items, by_hash);
    return items;
}

/* Finds a partner for a[at]: an equal item of `b`, with the same hash, that is not taken yet. Items
 * from `at` on are free, because b[at] moves to the place of the one taken. Equality is transitive,
 * so any partner will do. */
static bool pair_up(struct walk *walk, const struct bag_item *a, struct bag_item *b, size_t at,
                    size_t count)
{
    for (size_t i = at; i < count && b[i].hash == a[at].hash; i++) {
        if (equal(walk, a[at].value, b[i].value)) {
            b[i] = b[at];
            return true;
        }
    }
    return false;
}

static bool equal_bags(struct walk *walk, const struct list *a, const struct list *b)
{
    if (a->count != b->count) {
        return false;
    }
    struct bag_item *left = bag_items(walk, a);
    struct bag_item *right = bag_items(walk, b);
    size_t paired = 0;
    while (paired < a->count && pair_up(walk, left, right, paired, a->count)) {
        paired++;
    }
    free(left);
    free(right);
    return paired == a->count;
}

static bool equal_errors(struct walk *walk, const struct error_value *a,
                         const struct error_value *b)
{
    return equal(walk, a->condition, b->condition) && equal(walk, a->constraint, b->constraint) &&
           equal(walk, a->message, b->message) && equal(walk, a->table, b->table);
}

static bool equal_objects(const struct object *a, const struct object *b)
{
    return a == b || (a->type == b->type && a->type->equal && a->type->equal(a, b));
}

static bool equal_containers(struct walk *walk, struct value a, struct value b)
{
    if (value_is_table(a)) {
        return a.as.table == b.as.table || equal_tables(walk, a.as.table, b.as.table);
    }
    if (a.type == VALUE_BAG) {
        return a.as.list == b.as.list || equal_bags(walk, a.as.list, b.as.list);
    }
    if (a.type == VALUE_ERROR) {
        return equal_errors(walk, a.as.error, b.as.error);
    }
    return a.as.list == b.as.list || equal_items(walk, value_items(a), value_items(b));
}

static bool equal_numbers(struct value a, struct value b)
{
    if (a.type == VALUE_INT && b.type == VALUE_INT && !((a.flags | b.flags) & VALUE_BIG)) {
        return a.as.integer == b.as.integer;
    }
    return number_compare(a, b) == 0;
}

static bool equal(struct walk *walk, struct value a, struct value b)
{
    if (a.type != b.type) {
        return value_is_number(a) && value_is_number(b) && number_compare(a, b) == 0;
    }
    bool same;
    switch (a.type) {
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
        return equal_numbers(a, b);
    case VALUE_STRING:
        return a.as.string->size == b.as.string->size &&
               memcmp(a.as.string->data, b.as.string->data, a.as.string->size) == 0;
    case VALUE_BOOL:
        return a.as.boolean == b.as.boolean;
    case VALUE_BYTES:
        return a.as.bytes->size == b.as.bytes->size &&
               memcmp(a.as.bytes->data, b.as.bytes->data, a.as.bytes->size) == 0;
    case VALUE_OBJECT:
        return equal_objects(a.as.object, b.as.object);
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
        if (!walk_enter(walk, a)) {
            return false;
        }
        same = equal_containers(walk, a, b);
        walk_leave(walk);
        return same;
    case VALUE_NONE:
    case VALUE_JSON_NULL:
    default:
        return true;
    }
}

bool value_equal(struct value a, struct value b) { return equal(&(struct walk){0}, a, b); }

bool value_equal_checked(struct value a, struct value b, bool *out, struct error *err)
{
    struct walk walk = {0};
    *out = equal(&walk, a, b);
    return walk.limit == WALK_FINE || walk_error(&walk, "compare", err);
}

bool value_same(struct value a, struct value b)
{
    bool by_address = (a.type >= VALUE_LIST && a.type <= VALUE_MULTIPLE) || a.type == VALUE_OBJECT;
    if (a.type != b.type || !by_address) {
        return a.type == b.type && value_equal(a, b);
    }
    return a.as.object == b.as.object; /* compares the pointer, whatever its type */
}

static bool key_matches(const struct table_entry *entry, uint64_t hash, struct value key)
{
    if (entry->hash != hash || !entry->live) {
        return false;
    }
    if (key.type == VALUE_INT && entry->key.type == VALUE_INT &&
        !((key.flags | entry->key.flags) & VALUE_BIG)) {
        return key.as.integer == entry->key.as.integer;
    }
    return value_equal(entry->key, key);
}

static struct table_entry *find_own(const struct table *table, uint64_t hash, struct value key)
{
    if (table->slot_count == 0) {
        for (size_t i = table->first; i < table->used; i++) {
            if (key_matches(&table->entries[i], hash, key)) {
                return &table->entries[i];
            }
        }
        return NULL;
    }
    size_t mask = table->slot_count - 1;
    for (size_t at = hash & mask; table->slots[at]; at = (at + 1) & mask) {
        struct table_entry *entry = &table->entries[table->slots[at] - 1];
        if (key_matches(entry, hash, key)) {
            return entry;
        }
    }
    return NULL;
}

struct table_entry *table_find_hashed(const struct table *table, uint64_t hash, struct value key)
{
    struct table_entry *entry = find_own(table, hash, key);
    if (!entry && table->over) {
        entry = find_own(table->over->table, hash, key);
        entry =
            entry && table_at(table, (size_t)(entry - table->over->table->entries)) ? entry : NULL;
    }
    return entry;
}
