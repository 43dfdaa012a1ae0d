#include "diff/cells.h"
#include "diff/form.h"
#include "diff/rows.h"
#include "diff/token.h"

#include <string.h>

static bool same_value(struct value before, struct value after)
{
    if (before.type == VALUE_STRING && after.type == VALUE_STRING) {
        const struct string *a = before.as.string;
        const struct string *b = after.as.string;
        return a == b || (a->size == b->size && memcmp(a->data, b->data, a->size) == 0);
    }
    if (before.type == VALUE_INT && after.type == VALUE_INT &&
        ((before.flags | after.flags) & VALUE_BIG) == 0) {
        return before.as.integer == after.as.integer;
    }
    return value_equal(before, after);
}

static bool same_cells(const struct shared_rows *rows)
{
    bool same = rows->before->row_count == rows->after->row_count;
    for (size_t row = 0; same && row < rows->before->row_count; row++) {
        for (size_t i = 0; same && i < rows->column_count; i++) {
            struct value before = cell_before(rows, row, i);
            struct value after = cell_after(rows, row, i);
            same = same_value(before, after) && (rows->columns[i].nature != NATURE_EXACT ||
                                                 value_form(before) == value_form(after));
        }
    }
    return same;
}

static bool may_have_uuids(struct value value)
{
    if (value.type == VALUE_STRING) {
        return value.as.string->size >= UUID_SIZE;
    }
    return value.type == VALUE_TUPLE || value_container(value) != NULL;
}

bool rows_equal(const struct shared_rows *rows)
{
    size_t known = pairs_count(rows->sides->pairs);
    bool agree = same_cells(rows);
    for (size_t row = 0; agree && row < rows->before->row_count; row++) {
        for (size_t i = 0; agree && i < rows->column_count; i++) {
            struct value value = cell_before(rows, row, i);
            agree = !may_have_uuids(value) || cells_note(rows->sides, value);
        }
    }
    if (!agree) {
        pairs_cut(rows->sides->pairs, known);
    }
    return agree;
}
