/* Writes the expected value like the database, so that texts differ only where values do. */
#include "example/compare/compare.h"

static struct value align_value(struct arena *arena, const struct answer_column *column,
                                struct value expected, struct value actual);

/* Gives a list for a list and a tuple for a tuple, because the two compare as equal. */
static struct value align_items(struct arena *arena, const struct answer_column *column,
                                struct value expected, struct value actual)
{
    struct items items = value_items(expected);
    struct items actual_items = value_items(actual);
    struct value list = value_list(arena);
    for (size_t i = 0; i < items.count; i++) {
        struct value item = items.items[i];
        list_append(list.as.list, i < actual_items.count
                                      ? align_value(arena, column, item, actual_items.items[i])
                                      : item);
    }
    return actual.type == VALUE_LIST ? list : value_tuple(arena, list.as.list->items, items.count);
}

/* Orders members like the database; members that it lacks come last. */
static struct value align_members(struct arena *arena, const struct answer_column *column,
                                  const struct table *expected, const struct table *actual)
{
    struct value out = value_dict(arena);
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(actual, &i));) {
        const struct table_entry *found = table_find_hashed(expected, entry->hash, entry->key);
        if (found) {
            (void)table_set(out.as.table, entry->key,
                            align_value(arena, column, found->value, entry->value), NULL);
        }
    }
    for (size_t i = 0; (entry = table_next(expected, &i));) {
        if (!table_find_hashed(actual, entry->hash, entry->key)) {
            (void)table_set(out.as.table, entry->key, entry->value, NULL);
        }
    }
    return out;
}

static bool is_null(struct value value)
{
    return value.type == VALUE_NONE || value.type == VALUE_JSON_NULL;
}

/* Aligns a part of both. The decoder bounds the depth of the answer. */
static struct value align_value(struct arena *arena, const struct answer_column *column,
                                struct value expected, struct value actual)
{
    if (compare_is_sequence(expected) && compare_is_sequence(actual)) {
        return align_items(arena, column, expected, actual);
    }
    if (expected.type == VALUE_DICT && actual.type == VALUE_DICT) {
        return align_members(arena, column, expected.as.table, actual.as.table);
    }
    bool nulls = column->class == COLUMN_JSON && is_null(expected) && is_null(actual);
    return nulls || compare_cell(column, expected, actual) == CELL_EQUAL ? actual : expected;
}

struct value compare_align(struct arena *arena, const struct answer_column *column,
                           struct value expected, struct value actual)
{
    bool parts = compare_is_sequence(expected) || expected.type == VALUE_DICT;
    return parts ? align_value(arena, column, expected, actual) : expected;
}
