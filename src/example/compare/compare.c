#include "example/compare/compare.h"

#include "value/object.h"

/* The answer with `_` in the ignored columns, which equals the expectation there. */
static struct answer answer_without_columns(struct arena *arena, const struct answer *answer,
                                            const bool *left_out)
{
    struct answer out = *answer;
    struct value *rows = ARENA_ARRAY(arena, struct value, answer->row_count);
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct tuple *row = answer->rows[i].as.tuple;
        struct value *items = arena_memdup(arena, row->items, row->count * sizeof *items);
        for (size_t j = 0; j < row->count; j++) {
            items[j] = left_out[j] ? value_wildcard() : items[j];
        }
        rows[i] = value_row(arena, items, row->names, row->count);
    }
    out.rows = rows;
    return out;
}

bool compare_answer(const struct comparing *comparing, struct value expected,
                    const struct answer *answer, struct comparison *out, struct error *err)
{
    struct expected_rows rows;
    struct matching matching;
    *out = (struct comparison){0};
    if (!expected_rows_of(comparing->arena, expected, answer, &rows, err)) {
        return false;
    }
    struct answer compared = *answer;
    for (size_t i = 0; rows.left_out && i < rows.columns; i++) {
        compared = rows.left_out[i]
                       ? answer_without_columns(comparing->arena, answer, rows.left_out)
                       : compared;
    }
    answer = &compared;
    bool any_order = rows.shape == SHAPE_UNORDERED || rows.shape == SHAPE_DICT ||
                     (rows.shape == SHAPE_ONE && answer->row_count > 1);
    bool ok = any_order ? match_unordered(comparing, &rows, answer, &matching, err)
                        : match_in_order(comparing, &rows, answer, &matching, err);
    if (!ok) {
        return false;
    }
    out->equal = matching.matched == rows.count && matching.matched == answer->row_count;
    if (!out->equal) {
        compare_report(comparing, expected, &rows, answer, &matching, out);
    }
    return true;
}

void compare_no_rows(const struct comparing *comparing, const struct answer *answer,
                     struct comparison *out)
{
    *out = (struct comparison){.equal = answer->row_count == 0};
    if (!out->equal) {
        struct expected_rows rows = {.shape = SHAPE_UNORDERED, .columns = answer->column_count};
        struct matching matching = {0};
        struct error ignored;
        if (match_unordered(comparing, &rows, answer, &matching, &ignored)) {
            compare_report(comparing, value_none(), &rows, answer, &matching, out);
        }
    }
}
