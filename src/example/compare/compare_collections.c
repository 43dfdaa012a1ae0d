/* Compares two collections of the model as expected and actual rows. */
#include "example/compare/compare.h"

#include <string.h>

/* Values of the model need no conversion. */
static const struct answer_column item_column[] = {
    {.name = "item", .type_name = "", .class = COLUMN_TEXT}};
static const struct answer_column entry_columns[] = {
    {.name = "key", .type_name = "", .class = COLUMN_TEXT},
    {.name = "value", .type_name = "", .class = COLUMN_TEXT}};

/* Each item is a row of one column, even a tuple. */
static struct value row_of(struct arena *arena, struct value item)
{
    return value_tuple(arena, &item, 1);
}

static struct value list_of_rows(struct arena *arena, struct value of)
{
    struct value list = value_list(arena);
    struct value_parts parts = {.of = of};
    struct value item;
    struct value none;
    while (value_parts_next(&parts, &item) &&
           (of.type != VALUE_SET || value_parts_next(&parts, &none))) {
        list_append(list.as.list, row_of(arena, item));
    }
    return list;
}

static struct value dict_of_rows(struct arena *arena, struct value of)
{
    struct value dict = value_dict(arena);
    struct value_parts parts = {.of = of};
    struct value key;
    struct value value;
    struct error ignored;
    while (value_parts_next(&parts, &key) && value_parts_next(&parts, &value)) {
        (void)table_set(dict.as.table, row_of(arena, key), row_of(arena, value), &ignored);
    }
    return dict;
}

static struct answer answer_of(struct arena *arena, struct value actual)
{
    bool dict = actual.type == VALUE_DICT;
    size_t width = dict ? 2 : 1;
    struct answer answer = {
        .status = ANSWER_OK, .column_count = width, .columns = dict ? entry_columns : item_column};
    size_t count = 0;
    (void)value_length(actual, &count, NULL);
    struct value *rows = ARENA_ARRAY(arena, struct value, count);
    struct value_parts parts = {.of = actual};
    struct value cells[2];
    while (value_parts_next(&parts, &cells[0]) &&
           (!value_is_table(actual) || value_parts_next(&parts, &cells[1]))) {
        rows[answer.row_count++] = value_tuple(arena, cells, width);
    }
    answer.rows = rows;
    answer.count = (int64_t)answer.row_count;
    return answer;
}

void compare_collections(const struct comparing *comparing, struct value expected,
                         struct value actual, struct comparison *out)
{
    struct arena *arena = comparing->arena;
    bool listed =
        compare_is_sequence(expected) || expected.type == VALUE_SET || expected.type == VALUE_BAG;
    *out = (struct comparison){.equal = true};
    if (expected.type != actual.type || (!listed && expected.type != VALUE_DICT)) {
        return;
    }
    struct value rows = listed ? list_of_rows(arena, expected) : dict_of_rows(arena, expected);
    if (expected.type == VALUE_SET || expected.type == VALUE_BAG) {
        rows = value_bag(rows.as.list);
    }
    struct answer answer = answer_of(arena, actual);
    struct error ignored;
    if (!compare_answer(comparing, rows, &answer, out, &ignored)) {
        *out = (struct comparison){.equal = true};
    }
    out->hint = NULL; /* the hint is about the order of queries */
}
