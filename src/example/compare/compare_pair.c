/*
 * Pairs unmatched rows that are one changed row: a missing and an unexpected one whose differences
 * look alike, or otherwise rows with the same key.
 *
 * The key of a dict is known. Rows of a set or a bag are paired by their first columns, as many as
 * are needed until exactly one missing and one unexpected row agree in them.
 */
#include "example/compare/compare.h"

#include <stdint.h>

/* With more rows, only those of a dict are paired. */
enum { PAIRED_MAX = 32 };

struct pairing {
    struct arena *arena;
    const struct expected_rows *rows;
    const struct answer *answer;
    struct unmatched_rows *missing;
    struct unmatched_rows *unexpected;
};

/* Returns true if two rows fit. */
typedef bool fits(const struct pairing *pairing, const struct value *expected,
                  const struct value *actual, size_t columns);

/* True if the first columns are equal; a NULL identifies no row. */
static bool begin_alike(const struct pairing *pairing, const struct value *expected,
                        const struct value *actual, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        if (compare_cell(&pairing->answer->columns[i], expected[i], actual[i]) != CELL_EQUAL) {
            return false;
        }
    }
    return expected[0].type != VALUE_NONE;
}

static bool look_alike(const struct pairing *pairing, const struct value *expected,
                       const struct value *actual, size_t columns)
{
    for (size_t i = 0; i < columns; i++) {
        const struct answer_column *column = &pairing->answer->columns[i];
        if (compare_cell(column, expected[i], actual[i]) != CELL_EQUAL &&
            !compare_alike(pairing->arena, column, expected[i], actual[i])) {
            return false;
        }
    }
    return true;
}

static bool fit(const struct pairing *pairing, size_t missing, size_t unexpected, fits *together,
                size_t columns)
{
    const struct unmatched_row *a = &pairing->missing->items[missing];
    const struct unmatched_row *b = &pairing->unexpected->items[unexpected];
    return a->other == SIZE_MAX && b->other == SIZE_MAX &&
           together(pairing, a->cells, b->cells, columns);
}

/* True if no other missing row fits the unexpected one. */
static bool is_only(const struct pairing *pairing, size_t missing, size_t unexpected,
                    fits *together, size_t columns)
{
    for (size_t i = 0; i < pairing->missing->count; i++) {
        if (i != missing && fit(pairing, i, unexpected, together, columns)) {
            return false;
        }
    }
    return true;
}

/* The first unexpected row that fits the missing one or, with `only`, the only one. */
static size_t partner(const struct pairing *pairing, size_t missing, fits *together, size_t columns,
                      bool only)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < pairing->unexpected->count; i++) {
        if (fit(pairing, missing, i, together, columns)) {
            if (!only || found != SIZE_MAX) {
                return only ? SIZE_MAX : i;
            }
            found = i;
        }
    }
    bool taken = found != SIZE_MAX && !is_only(pairing, missing, found, together, columns);
    return taken ? SIZE_MAX : found;
}

static void pair(const struct pairing *pairing, fits *together, size_t columns, bool only)
{
    for (size_t i = 0; i < pairing->missing->count; i++) {
        size_t other = pairing->missing->items[i].other == SIZE_MAX
                           ? partner(pairing, i, together, columns, only)
                           : SIZE_MAX;
        if (other != SIZE_MAX) {
            pairing->missing->items[i].other = other;
            pairing->unexpected->items[other].other = i;
        }
    }
}

void compare_pair(struct arena *arena, const struct expected_rows *rows,
                  const struct answer *answer, struct unmatched_rows *missing,
                  struct unmatched_rows *unexpected)
{
    const struct pairing pairing = {arena, rows, answer, missing, unexpected};
    if (rows->shape == SHAPE_DICT) {
        pair(&pairing, begin_alike, rows->key_columns, false);
        return;
    }
    if (missing->count > PAIRED_MAX || unexpected->count > PAIRED_MAX) {
        return;
    }
    pair(&pairing, look_alike, rows->columns, false);
    for (size_t columns = rows->columns; columns-- > 1;) {
        pair(&pairing, begin_alike, columns, true);
    }
}
