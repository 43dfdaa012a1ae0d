/*
 * Copies values without recursion, to any depth. It remembers what it has copied, so that shared
 * parts stay shared, and a list that holds itself is copied once.
 */
#include "base/map.h"
#include "base/vec.h"
#include "value/number/numeric.h"
#include "value/object.h"

#include <string.h>

/* A run of values that are not yet copied. */
struct run {
    struct value *values;
    size_t count;
};

struct copying {
    struct arena *arena;
    struct arena scratch; /* for the two below */
    struct map seen;      /* by address */
    VEC(struct run) runs;
};

static void add_run(struct copying *copying, struct value *values, size_t count)
{
    if (count) {
        *VEC_PUSH(&copying->scratch, &copying->runs) = (struct run){values, count};
    }
}

/* Immutable bytes. Long ones stay shared, so that a copy is not much larger than the original. */
static const void *copy_data(struct copying *copying, const void *data, size_t size)
{
    enum { LONG = 256 };
    if (size < LONG) {
        return arena_memdup(copying->arena, data, size);
    }
    struct map_entry *entry = map_add(&copying->seen, (uintptr_t)data);
    if (!entry->to.pointer) {
        entry->to.pointer = arena_memdup(copying->arena, data, size);
    }
    return entry->to.pointer;
}

/* Each copy_… below makes a copy whose parts are still the original's, and adds runs for them. */

static struct list *copy_list(struct copying *copying, const struct list *list)
{
    struct map_entry *entry = map_add(&copying->seen, (uintptr_t)list);
    if (!entry->to.pointer) {
        struct list *copy = ARENA_NEW(copying->arena, struct list);
        entry->to.pointer = copy;
        copy->base.arena = copying->arena;
        copy->count = copy->capacity = list->count;
        copy->items = arena_memdup(copying->arena, list->items, list->count * sizeof *list->items);
        add_run(copying, copy->items, copy->count);
    }
    return entry->to.pointer;
}

/* The same entries in a table without one below. */
static const struct table *table_flat(struct arena *arena, const struct table *table)
{
    struct table *flat = value_dict(arena).as.table;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        struct error ignored;
        (void)table_set(flat, entry->key, entry->value, &ignored); /* keys have hashes */
    }
    return flat;
}

static struct table *copy_table(struct copying *copying, const struct table *table)
{
    struct map_entry *seen = map_add(&copying->seen, (uintptr_t)table);
    if (seen->to.pointer) {
        return seen->to.pointer;
    }
    if (table->over) {
        table = table_flat(&copying->scratch, table);
    }
    struct table *copy = ARENA_NEW(copying->arena, struct table);
    seen->to.pointer = copy;
    *copy = *table;
    copy->base = (struct container){.arena = copying->arena};
    copy->entries = arena_alloc(copying->arena, table->capacity * sizeof *copy->entries);
    if (table->used) {
        memcpy(copy->entries, table->entries, table->used * sizeof *copy->entries);
    }
    copy->slots =
        arena_memdup(copying->arena, table->slots, table->slot_count * sizeof *copy->slots);
    struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(copy, &i));) {
        add_run(copying, &entry->key, 1);
        add_run(copying, &entry->value, 1);
    }
    return copy;
}

/* Column names are as immutable as strings; rows of one result share them. */
static const char *const *copy_names(struct copying *copying, const char *const *names,
                                     size_t count)
{
    if (!names) {
        return NULL;
    }
    struct map_entry *entry = map_add(&copying->seen, (uintptr_t)names);
    if (!entry->to.pointer) {
        const char **copy = ARENA_ARRAY(copying->arena, const char *, count);
        entry->to.pointer = copy;
        for (size_t i = 0; i < count; i++) {
            copy[i] = arena_strdup(copying->arena, names[i]);
        }
    }
    return entry->to.pointer;
}

static const struct tuple *copy_tuple(struct copying *copying, const struct tuple *tuple)
{
    struct map_entry *entry = map_add(&copying->seen, (uintptr_t)tuple);
    if (!entry->to.pointer) {
        struct tuple *copy = ARENA_NEW(copying->arena, struct tuple);
        struct value *items =
            arena_memdup(copying->arena, tuple->items, tuple->count * sizeof *items);
        entry->to.pointer = copy;
        copy->count = tuple->count;
        copy->items = items;
        copy->names = copy_names(copying, tuple->names, tuple->count);
        add_run(copying, items, tuple->count);
        return copy;
    }
    return entry->to.pointer;
}

static const struct error_value *copy_error(struct copying *copying,
                                            const struct error_value *error)
{
    struct error_value *copy = arena_memdup(copying->arena, error, sizeof *error);
    add_run(copying, &copy->condition, 1);
    add_run(copying, &copy->constraint, 1);
    add_run(copying, &copy->message, 1);
    add_run(copying, &copy->table, 1);
    return copy;
}

static const struct bigint *copy_big(struct copying *copying, const struct bigint *big)
{
    struct bigint *copy = arena_memdup(copying->arena, big, sizeof *big);
    size_t limbs = (size_t)(big->size < 0 ? -(long)big->size : big->size);
    copy->limbs = copy_data(copying, big->limbs, limbs * sizeof *big->limbs);
    return copy;
}

static const struct numeric *copy_numeric(struct copying *copying, const struct numeric *numeric)
{
    struct numeric *copy = arena_memdup(copying->arena, numeric, sizeof *numeric);
    copy->coefficient = *copy_big(copying, &numeric->coefficient);
    return copy;
}

static void copy_one(struct copying *copying, struct value *value)
{
    switch (value->type) {
    case VALUE_INT:
        if (value->flags & VALUE_BIG) {
            value->as.big = copy_big(copying, value->as.big);
        }
        break;
    case VALUE_NUMERIC:
        value->as.numeric = copy_numeric(copying, value->as.numeric);
        break;
    case VALUE_STRING:
        value->as.string = copy_data(copying, value->as.string,
                                     sizeof(struct string) + value->as.string->size + 1);
        break;
    case VALUE_BYTES:
        value->as.bytes =
            copy_data(copying, value->as.bytes, sizeof(struct bytes) + value->as.bytes->size);
        break;
    case VALUE_TUPLE:
        value->as.tuple = copy_tuple(copying, value->as.tuple);
        break;
    case VALUE_ERROR:
        value->as.error = copy_error(copying, value->as.error);
        break;
    case VALUE_LIST:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
        value->as.list = copy_list(copying, value->as.list);
        break;
    case VALUE_DICT:
    case VALUE_SET:
        value->as.table = copy_table(copying, value->as.table);
        break;
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_FLOAT:
    case VALUE_JSON_NULL:
    case VALUE_OBJECT:
    default:
        break;
    }
}

struct value value_copy(struct arena *arena, struct value value)
{
    struct copying copying = {.arena = arena};
    copying.seen.arena = &copying.scratch;
    copy_one(&copying, &value);
    while (copying.runs.count) {
        struct run run = copying.runs.items[--copying.runs.count];
        for (size_t i = 0; i < run.count; i++) {
            copy_one(&copying, &run.values[i]);
        }
    }
    arena_free(&copying.scratch);
    return value;
}
