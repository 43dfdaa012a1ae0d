#include "base/hash.h"
#include "value/number/numeric.h"
#include "value/object.h"
#include "value/walk.h"

#include <endian.h>
#include <string.h>

/* Every type starts from a number of its own, so that (1,) and "1" are unlikely to meet. Types
 * whose values can be equal (the numbers) share one, in number_hash. */
static uint64_t seed_of(enum value_type type) { return hash_mix((uint64_t)type + 0x9E37U); }

static uint64_t combine(uint64_t hash, uint64_t next)
{
    return hash_mix(hash * 0x9E3779B97F4A7C15U + next);
}

static uint64_t hash_data(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t word;
    hash = combine(hash, size);
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = combine(hash, le64toh(word));
    }
    if (size) {
        word = 0;
        memcpy(&word, at, size);
        hash = combine(hash, le64toh(word));
    }
    return hash;
}

/* The state of hashing. In strict mode it notes the value that has no hash. */
struct hashing {
    struct walk *walk;
    enum { DEEP, STRICT } mode;
    struct value unhashable;
    bool failed;
};

static uint64_t hash(struct hashing *hashing, struct value value);

static uint64_t hash_items(struct hashing *hashing, uint64_t h, struct items items)
{
    h = combine(h, items.count);
    for (size_t i = 0; i < items.count && !hashing->failed; i++) {
        h = combine(h, hash(hashing, items.items[i]));
    }
    return h;
}

/* A sum, so that the order does not matter. */
static uint64_t hash_unordered(struct hashing *hashing, uint64_t h, const struct list *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        sum += hash_mix(hash(hashing, list->items[i]));
    }
    return combine(combine(h, list->count), sum);
}

static uint64_t hash_table(struct hashing *hashing, uint64_t h, const struct table *table)
{
    uint64_t sum = 0;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        sum += combine(entry->hash, hash(hashing, entry->value));
    }
    return combine(combine(h, table->count), sum);
}

static uint64_t hash_error(struct hashing *hashing, const struct error_value *error)
{
    const struct value parts[] = {error->condition, error->constraint, error->message,
                                  error->table};
    return hash_items(hashing, seed_of(VALUE_ERROR), (struct items){parts, 4});
}

static uint64_t refuse_value(struct hashing *hashing, struct value value)
{
    hashing->failed = true;
    hashing->unhashable = value;
    return 0;
}

static uint64_t hash_object(struct hashing *hashing, struct value value)
{
    uint64_t h;
    const struct object_type *type = value.as.object->type;
    if (type->hash && type->hash(value.as.object, &h)) {
        return combine(seed_of(VALUE_OBJECT), h);
    }
    return hashing->mode == STRICT ? refuse_value(hashing, value) : seed_of(VALUE_OBJECT);
}

static uint64_t hash_container(struct hashing *hashing, struct value value)
{
    uint64_t seed = seed_of(value.type);
    if (value.type == VALUE_ERROR) {
        return hash_error(hashing, value.as.error);
    }
    if (hashing->mode == STRICT && value.type != VALUE_TUPLE) {
        return refuse_value(hashing, value);
    }
    if (value.type == VALUE_BAG) {
        return hash_unordered(hashing, seed, value.as.list);
    }
    if (value_is_table(value)) {
        return hash_table(hashing, seed, value.as.table);
    }
    return hash_items(hashing, seed, value_items(value));
}

static uint64_t hash(struct hashing *hashing, struct value value)
{
    uint64_t h;
    switch (value.type) {
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
        return number_hash(value);
    case VALUE_STRING:
        return hash_data(seed_of(VALUE_STRING), value.as.string->data, value.as.string->size);
    case VALUE_BOOL:
        return seed_of(VALUE_BOOL) + value.as.boolean;
    case VALUE_BYTES:
        return hash_data(seed_of(VALUE_BYTES), value.as.bytes->data, value.as.bytes->size);
    case VALUE_OBJECT:
        return hash_object(hashing, value);
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
        if (!walk_enter(hashing->walk, value)) {
            hashing->failed = hashing->mode == STRICT;
            return 0;
        }
        h = hash_container(hashing, value);
        walk_leave(hashing->walk);
        return h;
    case VALUE_NONE:
    case VALUE_JSON_NULL:
    default:
        return seed_of(value.type);
    }
}

uint64_t value_hash_deep(struct walk *walk, struct value value)
{
    struct hashing hashing = {.walk = walk, .mode = DEEP};
    return hash(&hashing, value);
}

static bool unhashable(struct value value, struct error *err)
{
    static const char *const hints[VALUE_TYPES] = {
        [VALUE_LIST] =
            "make it a tuple: tuple(x); in expect, compare rows with lists as bag([...])",
        [VALUE_DICT] = ("make it a tuple: tuple(sorted(d.items())); in expect, compare rows with "
                        "dicts as bag([...])"),
        [VALUE_SET] = "make it a tuple: tuple(sorted(s))",
        [VALUE_OBJECT] = "take a value out of it, as result.value and result.row do",
    };
    (void)error_set(err, ERROR_MACHINE,
                    "a value of type %s has no hash: it can't be in a set or be a key of a dict",
                    value_type_name(value));
    return hints[value.type] ? error_hint(err, "%s", hints[value.type]) : false;
}

bool value_hash(struct value value, uint64_t *out, struct error *err)
{
    struct walk walk = {0};
    struct hashing hashing = {.walk = &walk, .mode = STRICT};
    *out = hash(&hashing, value);
    if (!hashing.failed) {
        return true;
    }
    return walk.limit ? walk_error(&walk, "hash", err) : unhashable(hashing.unhashable, err);
}
