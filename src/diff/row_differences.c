#include "diff/cells.h"
#include "diff/verdict.h"
#include "example/compare/compare.h"

#include <string.h>

static void find_natures(const struct comparing_answers *answers, struct shared_rows *rows)
{
    struct natures *natures = answers->sides->natures;
    if (!natures_any(natures)) {
        return;
    }
    struct arena *arena = answers->sides->arena;
    struct shared_column *columns =
        arena_memdup(arena, rows->columns, rows->column_count * sizeof *columns);
    for (size_t i = 0; i < rows->column_count; i++) {
        columns[i].nature = natures_of(natures, answers->asked->place, columns[i].name);
    }
    rows->columns = columns;
}

static bool is_list(const struct comparing_answers *answers)
{
    return answers->asked->ordered &&
           natures_of(answers->sides->natures, answers->asked->place, NULL) != NATURE_FREE;
}

/* The cells of both rows in the order of the shared columns; a cell differs if it does so alone. */
static void add_difference(const struct shared_rows *rows, const struct row_pair *pair,
                           bool is_ordered, struct divergence *out)
{
    struct arena *arena = rows->sides->arena;
    struct difference *difference = VEC_PUSH(arena, &out->differences);
    bool before = pair->before != SIZE_MAX;
    bool after = pair->after != SIZE_MAX;
    difference->kind = !after    ? DIFFERENCE_MISSING
                       : !before ? DIFFERENCE_UNEXPECTED
                                 : DIFFERENCE_CHANGED;
    difference->place = is_ordered ? (int64_t)(before ? pair->before : pair->after) + 1 : 0;
    difference->expected =
        before ? ARENA_ARRAY(arena, struct shown_cell, rows->column_count + 1) : NULL;
    difference->actual =
        after ? ARENA_ARRAY(arena, struct shown_cell, rows->column_count + 1) : NULL;
    size_t known = pairs_count(rows->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        if (before) {
            difference->expected[i].value = cell_before(rows, pair->before, i);
        }
        if (after) {
            difference->actual[i].value = cell_after(rows, pair->after, i);
        }
        if (before && after) {
            bool differs = !cells_agree(rows->sides, rows->columns[i].nature,
                                        difference->expected[i].value, difference->actual[i].value);
            difference->expected[i].differs = differs;
            difference->actual[i].differs = differs;
        }
    }
    pairs_cut(rows->sides->pairs, known);
}

static const struct divergence *rows_diverge(const struct comparing_answers *answers,
                                             const struct shared_rows *rows,
                                             const struct alignment *alignment,
                                             enum divergence_kind kind)
{
    struct arena *arena = answers->sides->arena;
    struct divergence found = {.kind = kind,
                               .before = rows_text(arena, rows->before->row_count),
                               .after = rows_text(arena, rows->after->row_count),
                               .column_count = rows->column_count,
                               .difference_count = alignment->changed.count};
    const char **names = ARENA_ARRAY(arena, const char *, rows->column_count + 1);
    for (size_t i = 0; i < rows->column_count; i++) {
        names[i] = rows->columns[i].name;
    }
    found.columns = names;
    for (size_t i = 0; i < alignment->changed.count && i < DIFFERENCES_MAX; i++) {
        add_difference(rows, &alignment->changed.items[i], is_list(answers), &found);
    }
    return diverges(answers, &found, NULL);
}

/* Makes the columns looser in which two rows differ. */
static bool loosen_columns(const struct comparing_answers *answers, const struct shared_rows *rows,
                           const struct row_pair *pair)
{
    bool loosened = false;
    size_t known = pairs_count(answers->sides->pairs);
    for (size_t i = 0; i < rows->column_count; i++) {
        if (!cells_agree(answers->sides, rows->columns[i].nature,
                         cell_before(rows, pair->before, i), cell_after(rows, pair->after, i))) {
            loosened = natures_loosen(answers->sides->natures, answers->asked->place,
                                      rows->columns[i].name) ||
                       loosened;
        }
    }
    pairs_cut(answers->sides->pairs, known);
    return loosened;
}

/* Rows without a counterpart become partners in their order, as their number is the same. */
static void pair_rest(struct alignment *alignment)
{
    size_t k = 0;
    size_t kept = 0;
    for (size_t i = 0; i < alignment->changed.count; i++) {
        struct row_pair *pair = &alignment->changed.items[i];
        while (pair->after == SIZE_MAX && k < alignment->changed.count) {
            struct row_pair *other = &alignment->changed.items[k++];
            if (other->before == SIZE_MAX) {
                pair->after = other->after;
            }
        }
    }
    for (size_t i = 0; i < alignment->changed.count; i++) {
        if (alignment->changed.items[i].before != SIZE_MAX) {
            alignment->changed.items[kept++] = alignment->changed.items[i];
        }
    }
    alignment->changed.count = kept;
}

/* Makes looser what differs by nature; false if nothing can become looser. */
static bool learn_rows(const struct comparing_answers *answers, const struct shared_rows *rows,
                       struct alignment *alignment)
{
    struct natures *natures = answers->sides->natures;
    if (rows->before->row_count != rows->after->row_count) {
        return natures_loosen(natures, answers->asked->place, NATURES_ROWS);
    }
    pair_rest(alignment);
    bool loosened = false;
    for (size_t i = 0; i < alignment->changed.count; i++) {
        loosened = loosen_columns(answers, rows, &alignment->changed.items[i]) || loosened;
    }
    return loosened || natures_loosen(natures, answers->asked->place, NATURES_ROWS);
}

static bool is_time(const struct answer *answer, size_t column)
{
    const char *name = answer->columns[column].type_name;
    return name != NULL &&
           (strncmp(name, "timestamp", strlen("timestamp")) == 0 || strcmp(name, "date") == 0);
}

/* Returns true if a column tells the order of the rows before: they rise or fall, and not all are
 * equal. */
static bool tells_order(const struct shared_rows *rows, size_t column)
{
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
static bool order_ties(const struct shared_rows *rows)
{
    bool by_time = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        bool same = is_time(rows->before, rows->columns[i].before);
        for (size_t row = 0; same && row < rows->before->row_count; row++) {
            same = cells_agree(rows->sides, rows->columns[i].nature, cell_before(rows, row, i),
                               cell_after(rows, row, i));
        }
        by_time = by_time || same;
        if (!same && tells_order(rows, i)) {
            return false;
        }
    }
    return by_time;
}

/* The same rows in another order. */
static const struct divergence *order_diverges(const struct comparing_answers *answers,
                                               const struct shared_rows *rows)
{
    if (order_ties(rows) ||
        (answers->sides->learn &&
         natures_loosen(answers->sides->natures, answers->asked->place, NULL))) {
        return NULL;
    }
    struct alignment places = {0};
    for (size_t i = 0; i < rows->before->row_count; i++) {
        if (!rows_agree(rows, i, i)) {
            *VEC_PUSH(answers->sides->arena, &places.changed) = (struct row_pair){i, i};
        }
    }
    return rows_diverge(answers, rows, &places, DIVERGES_ORDER);
}

const struct divergence *compare_rows(const struct comparing_answers *answers,
                                      struct shared_rows *rows)
{
    struct natures *natures = answers->sides->natures;
    struct pairs *pairs = answers->sides->pairs;
    for (;;) {
        find_natures(answers, rows);
        bool list = is_list(answers);
        size_t known = pairs_count(pairs);
        if (list ? rows_agree_as_list(rows) : rows_agree_as_bag(rows)) {
            return NULL;
        }
        if (natures_of(natures, answers->asked->place, NATURES_ROWS) == NATURE_FREE) {
            return NULL;
        }
        if (list && rows_agree_as_bag(rows)) {
            const struct divergence *found = order_diverges(answers, rows);
            if (found != NULL) {
                pairs_cut(pairs, known);
            }
            return found;
        }
        struct alignment alignment;
        rows_align(rows, list ? ALIGN_LIST : ALIGN_BAG, &alignment);
        bool loosened = answers->sides->learn && learn_rows(answers, rows, &alignment);
        const struct divergence *found =
            loosened ? NULL : rows_diverge(answers, rows, &alignment, DIVERGES_ROWS);
        pairs_cut(pairs, known);
        if (found != NULL) {
            return found;
        }
    }
}

/* The notifications as rows of two columns. */
static struct answer as_rows(struct arena *arena, const struct answer *answer)
{
    static const struct answer_column columns[] = {
        {.name = "channel", .type_name = "text", .class = COLUMN_TEXT},
        {.name = "payload", .type_name = "text", .class = COLUMN_TEXT}};
    static const char *const names[] = {"channel", "payload"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->notification_count + 1);
    for (size_t i = 0; i < answer->notification_count; i++) {
        const struct notification *at = &answer->notifications[i];
        const struct value cells[COLUMNS] = {
            value_text(arena, at->channel),
            value_text(arena, at->payload == NULL ? "" : at->payload)};
        rows[i] = value_row(arena, cells, names, COLUMNS);
    }
    return (struct answer){.column_count = COLUMNS,
                           .columns = columns,
                           .row_count = answer->notification_count,
                           .rows = rows};
}

const struct divergence *compare_notifications(const struct comparing_answers *answers)
{
    static const struct shared_column columns[] = {{"channel", 0, 0, NATURE_EQUAL},
                                                   {"payload", 1, 1, NATURE_EQUAL}};
    if (answers->before->notification_count == 0 && answers->after->notification_count == 0) {
        return NULL;
    }
    struct arena *arena = answers->sides->arena;
    struct answer before = as_rows(arena, answers->before);
    struct answer after = as_rows(arena, answers->after);
    const struct asked asked = {
        .place = arena_printf(arena, "notifications of %s", answers->asked->place)};
    const struct comparing_answers notified = {answers->sides, &asked, &before, &after};
    struct shared_rows rows = {answers->sides, &before, &after, columns,
                               sizeof columns / sizeof *columns};
    const struct divergence *found = compare_rows(&notified, &rows);
    if (found == NULL) {
        return NULL;
    }
    struct divergence *out = arena_memdup(arena, found, sizeof *found);
    out->kind = DIVERGES_NOTIFY;
    out->place = answers->asked->place;
    out->before =
        arena_printf(arena, "%zu notification%s", before.row_count, plural(before.row_count));
    out->after =
        arena_printf(arena, "%zu notification%s", after.row_count, plural(after.row_count));
    return out;
}
