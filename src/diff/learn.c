#include "diff/cells.h"
#include "diff/verdict.h"

#include <string.h>

/* Notes the columns whose values differ, whatever row they are in; false if none does. */
static bool note_columns(const struct shared_rows *rows, bool *differ)
{
    struct pairs *pairs = rows->sides->pairs;
    size_t known = pairs_count(pairs);
    bool some = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        struct shared_rows one = *rows;
        one.columns = &rows->columns[i];
        one.column_count = 1;
        differ[i] = !rows_agree_as_bag(&one);
        some = some || differ[i];
        pairs_cut(pairs, known);
    }
    return some;
}

/* Notes the columns in which two rows differ. */
static void note_cells(const struct shared_rows *rows, const struct row_pair *pair, bool *differ)
{
    size_t known = pairs_count(rows->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        differ[i] =
            !cells_agree(rows->sides, rows->columns[i].nature, cell_before(rows, pair->before, i),
                         cell_after(rows, pair->after, i)) ||
            differ[i];
    }
    pairs_cut(rows->sides->pairs, known);
}

/* Rows without a counterpart become partners in their order, as their number is the same. */
static void note_alignment(const struct shared_rows *rows, const struct alignment *alignment,
                           bool *differ)
{
    size_t k = 0;
    for (size_t i = 0; i < alignment->changed.count; i++) {
        struct row_pair pair = alignment->changed.items[i];
        if (pair.before == SIZE_MAX) {
            continue;
        }
        while (pair.after == SIZE_MAX && k < alignment->changed.count) {
            const struct row_pair *other = &alignment->changed.items[k++];
            pair.after = other->before == SIZE_MAX ? other->after : SIZE_MAX;
        }
        note_cells(rows, &pair, differ);
    }
}

bool learn_rows(const struct comparing_answers *answers, const struct shared_rows *rows,
                const struct alignment *alignment)
{
    struct natures *natures = answers->sides->natures;
    const char *place = answers->asked->place;
    bool loosened = false;
    bool *differ = ARENA_ARRAY(rows->sides->arena, bool, rows->column_count + 1);
    if (rows->before->row_count != rows->after->row_count) {
        return natures_loosen(natures, place, NATURES_ROWS);
    }
    if (!note_columns(rows, differ)) {
        note_alignment(rows, alignment, differ);
    }
    for (size_t i = 0; i < rows->column_count; i++) {
        loosened = (differ[i] && natures_loosen(natures, place, rows->columns[i].name)) || loosened;
    }
    return loosened || natures_loosen(natures, place, NATURES_ROWS);
}
