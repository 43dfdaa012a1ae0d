/* Compares the rows of two answers, in stages of a file each. */
#ifndef DIFF_ROWS_H
#define DIFF_ROWS_H

#include "diff/compare.h"

/* The columns that both answers have. */
struct shared_column {
    const char *name;
    size_t before; /* its number in each answer */
    size_t after;
    enum nature nature;
};
struct shared_rows {
    const struct comparing_sides *sides;
    const struct answer *before;
    const struct answer *after;
    const struct shared_column *columns;
    size_t column_count;
};

static inline struct value cell_before(const struct shared_rows *rows, size_t row, size_t column)
{
    return rows->before->rows[row].as.tuple->items[rows->columns[column].before];
}
static inline struct value cell_after(const struct shared_rows *rows, size_t row, size_t column)
{
    return rows->after->rows[row].as.tuple->items[rows->columns[column].after];
}

/* plain.c: equal values in the same order, the common case. Uuids become their own partners; false
 * if one of them has another. */
bool rows_equal(const struct shared_rows *rows);

/* rows.c. What two rows make known is joined if they agree, and otherwise nothing is. */
bool rows_agree(const struct shared_rows *rows, size_t before, size_t after);
/* All of them, one by one; nothing is joined if one differs. */
bool rows_agree_as_list(const struct shared_rows *rows);
/* The same, and they make nothing known: so they agree whatever else they could stand for. */
bool rows_agree_as_known(const struct shared_rows *rows);

/* bag.c: in any order. What is joined then holds under every way to match the rows. */
bool rows_agree_as_bag(const struct shared_rows *rows);

/* order.c: whether rows that agree as a bag are in the same order; whether they are in the order of
 * values that the servers made; and whether rows in another order tie, as far as can be known. */
bool order_agrees(const struct shared_rows *rows);
bool order_is_made(const struct shared_rows *rows);
bool order_ties(const struct shared_rows *rows);

/* align.c: which rows correspond, where they do not agree. What the rows that agree make known
 * stays joined: the caller takes it back. */
struct row_pair {
    size_t before; /* SIZE_MAX: none */
    size_t after;
};
struct alignment {
    VEC(struct row_pair) changed; /* rows that are one row with other values, or on one side only */
};
/* `as_list`: rows that agree at the beginning and at the end stay there. */
enum alignment_kind { ALIGN_BAG, ALIGN_LIST };
void rows_align(const struct shared_rows *rows, enum alignment_kind kind, struct alignment *out);

#endif
