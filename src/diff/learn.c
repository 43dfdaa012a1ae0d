#include "base/map.h"
#include "diff/cells.h"
#include "diff/token.h"
#include "diff/verdict.h"
#include "value/time/calendar.h"

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
           rows->columns[column].nature <= NATURE_EQUAL && differ_at(rows, pair, column) &&
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

static bool time_of(struct value cell, struct token_time *out)
{
    const struct string *text = cell.type == VALUE_STRING ? cell.as.string : NULL;
    return text != NULL &&
           token_is_time(&(struct token_text){text->data, text->data, text->data + text->size},
                         out);
}

/* The times of a column, to be looked up. */
static struct map times_in(const struct answer *answer, size_t column, struct arena *arena)
{
    struct map times = {.arena = arena};
    struct token_time time;
    for (size_t i = 0; i < answer->row_count; i++) {
        if (time_of(answer->rows[i].as.tuple->items[column], &time)) {
            (void)map_add(&times, (uint64_t)time.us);
        }
    }
    return times;
}

/* Adds the times of a column that the other database lacks, but for those of long ago. */
static bool add_loaded(const struct answer *answer, size_t column, const struct map *others,
                       int64_t epoch, struct loaded *out)
{
    static const int64_t longest = 100 * CALENDAR_DAY; /* a cache keeps what was loaded */
    struct token_time time;
    bool added = false;
    for (size_t i = 0; i < answer->row_count; i++) {
        if (!time_of(answer->rows[i].as.tuple->items[column], &time) ||
            map_find(others, (uint64_t)time.us) != NULL || time.us < epoch - longest ||
            time.us > epoch + CALENDAR_DAY ||
            (out->known && time.us >= out->first && time.us <= out->last)) {
            continue;
        }
        out->first = out->known && out->first < time.us ? out->first : time.us;
        out->last = out->known && out->last > time.us ? out->last : time.us;
        out->known = added = true;
    }
    return added;
}

bool learn_loaded(const struct shared_rows *rows)
{
    const struct comparing_sides *sides = rows->sides;
    bool added = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        const struct shared_column *column = &rows->columns[i];
        if (!is_time(&rows->before->columns[column->before])) {
            continue;
        }
        const struct map before = times_in(rows->before, column->before, sides->arena);
        const struct map after = times_in(rows->after, column->after, sides->arena);
        bool first = add_loaded(rows->before, column->before, &after, sides->epoch_before,
                                &sides->loaded[PAIR_BEFORE]);
        bool second = add_loaded(rows->after, column->after, &before, sides->epoch_after,
                                 &sides->loaded[PAIR_AFTER]);
        added = added || first || second;
    }
    return added;
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
