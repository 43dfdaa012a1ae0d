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

/* Of the cells of one column of two rows. */
typedef bool test_cells(const struct shared_rows *rows, const struct row_pair *pair, size_t column);

static bool agree_as(const struct shared_rows *rows, const struct row_pair *pair, size_t column,
                     enum nature nature)
{
    return cells_agree(rows->sides, nature, cell_before(rows, pair->before, column),
                       cell_after(rows, pair->after, column));
}

static bool differ_at(const struct shared_rows *rows, const struct row_pair *pair, size_t column)
{
    return !agree_as(rows, pair, column, rows->columns[column].nature);
}

/* A uuid that a server has made, and what the other one makes in its place. */
static bool differ_in_form(const struct shared_rows *rows, const struct row_pair *pair,
                           size_t column)
{
    const struct pairs *pairs = rows->sides->pairs;
    return (cells_new(pairs, PAIR_BEFORE, cell_before(rows, pair->before, column)) ||
            cells_new(pairs, PAIR_AFTER, cell_after(rows, pair->after, column))) &&
           rows->columns[column].nature == NATURE_EQUAL && differ_at(rows, pair, column) &&
           agree_as(rows, pair, column, NATURE_MADE);
}

/* Notes the columns for whose cells the test is true. */
static void note_cells(const struct shared_rows *rows, const struct row_pair *pair,
                       test_cells *test, bool *noted)
{
    size_t known = pairs_count(rows->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        noted[i] = test(rows, pair, i) || noted[i];
    }
    pairs_cut(rows->sides->pairs, known);
}

/* Rows without a counterpart become partners in their order, as their number is the same. */
static void note_alignment(const struct shared_rows *rows, const struct alignment *alignment,
                           test_cells *test, bool *noted)
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
        note_cells(rows, &pair, test, noted);
    }
}

typedef bool loosen_column(struct natures *natures, const char *place, const char *column);

static bool loosen_columns(const struct comparing_answers *answers, const struct shared_rows *rows,
                           const bool *noted, loosen_column *loosen)
{
    bool loosened = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        loosened = (noted[i] && loosen(answers->sides->natures, answers->asked->place,
                                       rows->columns[i].name)) ||
                   loosened;
    }
    return loosened;
}

bool learn_rows(const struct comparing_answers *answers, const struct shared_rows *rows,
                const struct alignment *alignment)
{
    struct natures *natures = answers->sides->natures;
    const char *place = answers->asked->place;
    bool *differ = ARENA_ARRAY(rows->sides->arena, bool, rows->column_count + 1);
    if (rows->before->row_count != rows->after->row_count) {
        return natures_loosen(natures, place, NATURES_ROWS);
    }
    if (!note_columns(rows, differ)) {
        note_alignment(rows, alignment, differ_at, differ);
    }
    return loosen_columns(answers, rows, differ, natures_loosen) ||
           natures_loosen(natures, place, NATURES_ROWS);
}

static bool is_time(const struct answer_column *column)
{
    return strncmp(column->type_name, "timestamp", strlen("timestamp")) == 0;
}

bool learn_times(const struct comparing_answers *answers, const struct shared_rows *rows)
{
    bool *differ = ARENA_ARRAY(rows->sides->arena, bool, rows->column_count + 1);
    if (rows->before->row_count != rows->after->row_count || !note_columns(rows, differ)) {
        return false;
    }
    for (size_t i = 0; i < rows->column_count; i++) {
        differ[i] = differ[i] && is_time(&rows->before->columns[rows->columns[i].before]);
    }
    return loosen_columns(answers, rows, differ, natures_loosen);
}

bool learn_forms(const struct comparing_answers *answers, const struct shared_rows *rows,
                 const struct alignment *alignment)
{
    bool *differ = ARENA_ARRAY(rows->sides->arena, bool, rows->column_count + 1);
    if (rows->before->row_count == rows->after->row_count) {
        note_alignment(rows, alignment, differ_in_form, differ);
    }
    return loosen_columns(answers, rows, differ, natures_make);
}
