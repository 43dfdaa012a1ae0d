#include "diff/compare.h"

#include "diff/cells.h"
#include "diff/token.h"
#include "diff/verdict.h"

#include <string.h>

const struct divergence *diverges(const struct comparing_answers *answers,
                                  const struct divergence *found, const char *nature)
{
    const struct comparing_sides *sides = answers->sides;
    if (sides->learn && nature != NULL &&
        natures_loosen(sides->natures, answers->asked->place, nature)) {
        return NULL;
    }
    struct divergence *out = arena_memdup(sides->arena, found, sizeof *found);
    out->place = answers->asked->place;
    out->error_before = answers->before->status == ANSWER_ERROR ? &answers->before->error : NULL;
    out->error_after = answers->after->status == ANSWER_ERROR ? &answers->after->error : NULL;
    return out;
}

/* The number of rows affected; that of a query is the number of its rows. */
static const struct divergence *compare_counts(const struct comparing_answers *answers)
{
    const struct answer *before = answers->before;
    const struct answer *after = answers->after;
    if (before->column_count > 0 || before->count == after->count ||
        natures_of(answers->sides->natures, answers->asked->place, NATURES_COUNT) == NATURE_FREE) {
        return NULL;
    }
    return diverges(answers,
                    &(struct divergence){
                        .kind = DIVERGES_COUNT, .before = before->command, .after = after->command},
                    NATURES_COUNT);
}

/* The common case, without any memory: the same columns, and equal values in the same order. */
static bool same_columns(const struct answer *before, const struct answer *after)
{
    bool same = before->column_count == after->column_count;
    for (size_t i = 0; same && i < before->column_count; i++) {
        const struct answer_column *a = &before->columns[i];
        const struct answer_column *b = &after->columns[i];
        same = (a->name == b->name || strcmp(a->name, b->name) == 0) &&
               (a->type_name == b->type_name || a->type_name == NULL || b->type_name == NULL ||
                strcmp(a->type_name, b->type_name) == 0);
    }
    return same;
}

static bool is_plain(struct value value)
{
    return value.type != VALUE_STRING ? value.type < VALUE_STRING || value.type == VALUE_BYTES ||
                                            value.type == VALUE_JSON_NULL
                                      : value.as.string->size < UUID_SIZE;
}

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

static bool same_rows(const struct answer *before, const struct answer *after)
{
    bool same = before->row_count == after->row_count;
    for (size_t i = 0; same && i < before->row_count; i++) {
        const struct tuple *a = before->rows[i].as.tuple;
        const struct tuple *b = after->rows[i].as.tuple;
        for (size_t k = 0; same && k < a->count; k++) {
            same = same_value(a->items[k], b->items[k]);
        }
    }
    return same;
}

/* Notes the uuids of rows that are equal; false if one of them has another partner. */
static bool note_rows(const struct comparing_sides *sides, const struct answer *answer)
{
    size_t known = pairs_count(sides->pairs);
    bool agree = true;
    for (size_t i = 0; agree && i < answer->row_count; i++) {
        const struct tuple *row = answer->rows[i].as.tuple;
        for (size_t k = 0; agree && k < row->count; k++) {
            agree = is_plain(row->items[k]) || cells_note(sides, row->items[k]);
        }
    }
    if (!agree) {
        pairs_cut(sides->pairs, known);
    }
    return agree;
}

static const struct divergence *compare_results(const struct comparing_answers *answers)
{
    if (same_columns(answers->before, answers->after) &&
        same_rows(answers->before, answers->after) && note_rows(answers->sides, answers->before)) {
        return compare_counts(answers);
    }
    struct shared_rows rows;
    const struct divergence *found = compare_columns(answers, &rows);
    found = found != NULL ? found : compare_counts(answers);
    return found != NULL ? found : compare_rows(answers, &rows);
}

const struct divergence *sides_compare(const struct comparing_sides *sides,
                                       const struct asked *asked, const struct answer *before,
                                       const struct answer *after)
{
    const struct comparing_answers answers = {sides, asked, before, after};
    if (before->status == ANSWER_SKIPPED || after->status == ANSWER_SKIPPED) {
        return NULL;
    }
    if (before->status == ANSWER_ERROR || after->status == ANSWER_ERROR) {
        return compare_errors(&answers);
    }
    const struct divergence *found = compare_results(&answers);
    return found != NULL ? found : compare_notifications(&answers);
}
