#include "diff/rows.h"

#include "diff/cells.h"

bool rows_agree(const struct shared_rows *rows, size_t before, size_t after)
{
    size_t known = pairs_count(rows->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!cells_agree(rows->sides, rows->columns[i].nature, cell_before(rows, before, i),
                         cell_after(rows, after, i))) {
            pairs_cut(rows->sides->pairs, known);
            return false;
        }
    }
    return true;
}

bool rows_agree_as_list(const struct shared_rows *rows)
{
    size_t known = pairs_count(rows->sides->pairs);
    bool agree = rows->before->row_count == rows->after->row_count;
    for (size_t i = 0; agree && i < rows->before->row_count; i++) {
        agree = rows_agree(rows, i, i);
    }
    if (!agree) {
        pairs_cut(rows->sides->pairs, known);
    }
    return agree;
}

bool rows_agree_as_known(const struct shared_rows *rows)
{
    size_t known = pairs_count(rows->sides->pairs);
    bool agree = rows_agree_as_list(rows) && pairs_count(rows->sides->pairs) == known;
    pairs_cut(rows->sides->pairs, known);
    return agree;
}
