#include "diff/cells.h"
#include "diff/rows.h"
#include "diff/token.h"

#include <string.h>

/* The same place in both does not tell that two rows are one: rows that tie may stand in any order.
 * So nothing is joined. */
bool order_agrees(const struct shared_rows *rows)
{
    size_t known = pairs_count(rows->sides->pairs);
    bool agrees = rows_agree_as_list(rows);
    pairs_cut(rows->sides->pairs, known);
    return agrees;
}

static bool is_made(const struct shared_column *column, struct value value)
{
    return value.type == VALUE_STRING &&
           (column->nature == NATURE_PAIRED ||
            (value.as.string->size == UUID_SIZE &&
             token_first_uuid(value.as.string->data, UUID_SIZE) != NULL));
}

/* How a column goes from one row to the next: it rises in both answers (1), falls in both (-1), or
 * neither (0). */
static int goes(const struct shared_rows *rows, size_t row, size_t column)
{
    int before = 0;
    int after = 0;
    struct error err;
    if (!value_compare(cell_before(rows, row, column), cell_before(rows, row + 1, column), &before,
                       &err) ||
        !value_compare(cell_after(rows, row, column), cell_after(rows, row + 1, column), &after,
                       &err)) {
        return 0;
    }
    return before > 0 && after > 0 ? -1 : before < 0 && after < 0;
}

static bool is_order_of(const struct shared_rows *rows, size_t column)
{
    bool made = true;
    bool equal = true;
    for (size_t row = 0; made && row < rows->before->row_count; row++) {
        struct value before = cell_before(rows, row, column);
        struct value after = cell_after(rows, row, column);
        made = is_made(&rows->columns[column], before) && is_made(&rows->columns[column], after) &&
               (row == 0 || (goes(rows, row - 1, column) != 0 &&
                             goes(rows, row - 1, column) == goes(rows, 0, column)));
        equal = equal && value_equal(before, after);
    }
    return made && !equal;
}

/* Rows in the order of values that each server made are in no order that they must share. */
bool order_is_made(const struct shared_rows *rows)
{
    if (rows->before->row_count < 2 || rows->before->row_count != rows->after->row_count) {
        return false;
    }
    for (size_t i = 0; i < rows->column_count; i++) {
        if (is_order_of(rows, i)) {
            return true;
        }
    }
    return false;
}

static bool is_time(const struct answer *answer, size_t column)
{
    const char *name = answer->columns[column].type_name;
    return name != NULL &&
           (strncmp(name, "timestamp", strlen("timestamp")) == 0 || strcmp(name, "date") == 0);
}

/* Returns true if a column tells the order of the rows before: they rise or fall, and not all are
 * equal. A few values that were drawn do so by chance. */
static bool tells_order(const struct shared_rows *rows, size_t column)
{
    enum { BY_CHANCE_MAX = 3 };
    if (rows->before->row_count <= BY_CHANCE_MAX &&
        is_made(&rows->columns[column], cell_before(rows, 0, column))) {
        return false;
    }
    bool rises = true;
    bool falls = true;
    for (size_t i = 1; i < rows->before->row_count; i++) {
        int order = 0;
        struct error err;
        if (!value_compare(cell_before(rows, i - 1, column), cell_before(rows, i, column), &order,
                           &err)) {
            return false;
        }
        rises = rises && order <= 0;
        falls = falls && order >= 0;
    }
    return rises != falls;
}

/* Rows that are elsewhere tie if they are ordered by a time, which is the same at each place on
 * both sides, and no other column tells an order. */
bool order_ties(const struct shared_rows *rows)
{
    bool by_time = false;
    size_t known = pairs_count(rows->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        bool same = is_time(rows->before, rows->columns[i].before);
        for (size_t row = 0; same && row < rows->before->row_count; row++) {
            same = cells_agree(rows->sides, rows->columns[i].nature, cell_before(rows, row, i),
                               cell_after(rows, row, i));
        }
        pairs_cut(rows->sides->pairs, known);
        by_time = by_time || same;
        if (!same && tells_order(rows, i)) {
            return false;
        }
    }
    return by_time;
}
