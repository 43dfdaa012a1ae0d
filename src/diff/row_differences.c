#include "diff/cells.h"
#include "diff/form.h"
#include "diff/verdict.h"
#include "example/compare/compare.h"

#include <string.h>

/* Returns true if values of some column may become pairs. */
static bool find_natures(const struct comparing_answers *answers, struct shared_rows *rows)
{
    struct natures *natures = answers->sides->natures;
    bool pairing = false;
    for (size_t i = 0; i < rows->column_count; i++) {
        pairing = pairing || rows->columns[i].nature > NATURE_EQUAL;
    }
    if (!natures_any(natures)) {
        return pairing;
    }
    struct arena *arena = answers->sides->arena;
    struct shared_column *columns =
        arena_memdup(arena, rows->columns, rows->column_count * sizeof *columns);
    for (size_t i = 0; i < rows->column_count; i++) {
        enum nature nature = natures_of(natures, answers->asked->place, columns[i].name);
        bool looser = nature > NATURE_EQUAL && nature > columns[i].nature;
        columns[i].nature = looser ? nature : columns[i].nature;
        pairing = pairing || columns[i].nature == NATURE_PAIRED || columns[i].nature == NATURE_MADE;
    }
    rows->columns = columns;
    return pairing;
}

static bool is_list(const struct comparing_answers *answers, const struct shared_rows *rows)
{
    return answers->asked->ordered &&
           natures_of(answers->sides->natures, answers->asked->place, NULL) != NATURE_FREE &&
           !order_is_made(rows);
}

/* A dict does not show that a key stood twice in the JSON that it was made of. */
static struct value formed_shown(struct arena *arena, bool formed, struct value value)
{
    struct strbuf text = {0};
    if (!formed || !value_form_repeats(value)) {
        return value;
    }
    value_repr(value, &text);
    strbuf_adds(&text, ", with a key twice");
    return value_text(arena, strbuf_take(&text, arena));
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
            bool formed = differs && rows->columns[i].nature == NATURE_EXACT;
            difference->expected[i].value =
                formed_shown(arena, formed, difference->expected[i].value);
            difference->actual[i].value = formed_shown(arena, formed, difference->actual[i].value);
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
        add_difference(rows, &alignment->changed.items[i], is_list(answers, rows), &found);
    }
    return diverges(answers, &found, NULL);
}

/* The same rows in another order. */
static const struct divergence *order_diverges(const struct comparing_answers *answers,
                                               const struct shared_rows *rows)
{
    if (order_ties(rows) ||
        (answers->sides->purpose == LEARNS &&
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

/* Rows that agree as a bag: of a list, their order counts, too. */
static const struct divergence *compare_order(const struct comparing_answers *answers,
                                              const struct shared_rows *rows, size_t known)
{
    const struct divergence *found = NULL;
    if (is_list(answers, rows) && !order_agrees(rows)) {
        found = order_diverges(answers, rows);
    }
    if (found != NULL) {
        pairs_cut(answers->sides->pairs, known);
    }
    return found;
}

/* Rows that do not agree. Returns true if some place became looser: they may agree then. */
static bool loosens(const struct comparing_answers *answers, const struct shared_rows *rows,
                    const struct divergence **found)
{
    struct pairs *pairs = answers->sides->pairs;
    size_t known = pairs_count(pairs);
    struct alignment alignment;
    rows_align(rows, is_list(answers, rows) ? ALIGN_LIST : ALIGN_BAG, &alignment);
    if (alignment.changed.count == 0) {
        *found = compare_order(answers, rows, known);
        return false;
    }
    enum comparing_purpose purpose = answers->sides->purpose;
    bool loosened = purpose == LEARNS ? learn_rows(answers, rows, &alignment)
                                      : (purpose == MEETS && learn_loaded(rows)) ||
                                            learn_forms(answers, rows, &alignment);
    if (!loosened) {
        *found = rows_diverge(answers, rows, &alignment, DIVERGES_ROWS);
    }
    pairs_cut(pairs, known);
    return loosened;
}

const struct divergence *compare_rows(const struct comparing_answers *answers,
                                      struct shared_rows *rows)
{
    const struct comparing_sides *sides = answers->sides;
    const struct divergence *found = NULL;
    bool pairing = find_natures(answers, rows);
    if ((!pairing && rows_equal(rows)) || (pairs_any(sides->pairs) && rows_agree_as_known(rows))) {
        return NULL;
    }
    for (;;) {
        size_t known = pairs_count(sides->pairs);
        if (rows_agree_as_bag(rows)) {
            return compare_order(answers, rows, known);
        }
        if (natures_of(sides->natures, answers->asked->place, NATURES_ROWS) == NATURE_FREE ||
            !loosens(answers, rows, &found)) {
            return found;
        }
        (void)find_natures(answers, rows);
    }
}
