/* Reports the differences of a failed comparison. */
#include "example/compare/compare.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reporting {
    const struct comparing *comparing;
    struct arena *arena;
    const struct expected_rows *rows;
    const struct answer *answer;
    const struct matching *matching;
    struct comparison *out;
};

const char *rows_text(struct arena *arena, size_t count)
{
    if (count == 0) {
        return "no rows";
    }
    return count == 1 ? "1 row" : arena_printf(arena, "%zu rows", count);
}

static const struct value *expected_cells(const struct reporting *reporting, size_t row)
{
    return reporting->rows->cells + row * reporting->rows->columns;
}

static const struct value *actual_cells(const struct reporting *reporting, size_t row)
{
    return reporting->answer->rows[row].as.tuple->items;
}

/* True if the values differ in the column's type. Asks the server if only it can decide. */
static bool cell_differs(const struct reporting *reporting, size_t column, struct value expected,
                         struct value actual)
{
    const struct answer_column *of = &reporting->answer->columns[column];
    struct backend *backend = reporting->comparing->backend;
    enum cell_verdict verdict = compare_cell(of, expected, actual);
    bool same = false;
    struct error ignored;
    return verdict == CELL_DIFFERENT ||
           (verdict == CELL_ASK &&
            (!backend->ops->equal(backend, of->type, &expected, &actual, 1, &same, &ignored) ||
             !same));
}

static struct shown_cell *cells_of(struct arena *arena, const struct value *values, size_t count)
{
    struct shown_cell *cells = ARENA_ARRAY(arena, struct shown_cell, count);
    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct shown_cell){.value = values[i]};
    }
    return cells;
}

/* Adds a difference. A row is SIZE_MAX on the side that lacks it. */
static void add_difference(struct reporting *reporting, size_t expected, size_t actual,
                           int64_t place)
{
    struct comparison *out = reporting->out;
    struct arena *arena = reporting->arena;
    size_t columns = reporting->rows->columns;
    struct difference difference = {.place = place, .kind = DIFFERENCE_CHANGED};
    if (out->difference_count++ >= DIFFERENCES_MAX) {
        return;
    }
    if (actual == SIZE_MAX) {
        difference.kind = DIFFERENCE_MISSING;
    } else {
        difference.actual = cells_of(arena, actual_cells(reporting, actual), columns);
    }
    if (expected == SIZE_MAX) {
        difference.kind = DIFFERENCE_UNEXPECTED;
    } else {
        difference.expected = cells_of(arena, expected_cells(reporting, expected), columns);
    }
    for (size_t i = 0; difference.kind == DIFFERENCE_CHANGED && i < columns; i++) {
        struct shown_cell *cell = &difference.expected[i];
        struct value other = difference.actual[i].value;
        cell->differs = difference.actual[i].differs =
            cell_differs(reporting, i, cell->value, other);
        cell->value = compare_align(arena, &reporting->answer->columns[i], cell->value, other);
    }
    *VEC_PUSH(arena, &out->differences) = difference;
}

static bool cells_equal(const struct reporting *reporting, size_t expected, size_t actual,
                        size_t columns)
{
    const struct value *a = expected_cells(reporting, expected);
    const struct value *b = actual_cells(reporting, actual);
    for (size_t i = 0; i < columns; i++) {
        if (compare_cell(&reporting->answer->columns[i], a[i], b[i]) != CELL_EQUAL) {
            return false;
        }
    }
    return true;
}

/* UUIDs differ in each run, so rows are not sorted by them. */
static bool is_uuid(struct value value)
{
    enum { SIZE = 36 };
    const char *text = value.type == VALUE_STRING ? value.as.string->data : "";
    return value.type == VALUE_STRING && value.as.string->size == SIZE && text[8] == '-' &&
           text[13] == '-' && text[18] == '-' && text[23] == '-';
}

static int order_of_cells(struct value a, struct value b)
{
    int order = 0;
    struct error ignored;
    if (is_uuid(a) && is_uuid(b)) {
        return 0;
    }
    if (!value_compare(a, b, &order, &ignored)) {
        order = (a.type > b.type) - (a.type < b.type);
    }
    return order;
}

/* Sorts rows of a set or a dict by their values, because the model and the database have different
 * orders, and related rows should be adjacent. */
static int order_of_rows(const void *left, const void *right)
{
    const struct unmatched_row *a = left;
    const struct unmatched_row *b = right;
    int order = 0;
    for (size_t i = 0; !order && i < a->columns; i++) {
        order = order_of_cells(a->cells[i], b->cells[i]);
    }
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The unmatched rows of one side, in order. */
static struct unmatched_rows find_unmatched(const struct reporting *reporting, bool expected)
{
    const size_t *matched =
        expected ? reporting->matching->of_expected : reporting->matching->of_actual;
    size_t count = expected ? reporting->rows->count : reporting->answer->row_count;
    struct unmatched_rows out = {.items =
                                     ARENA_ARRAY(reporting->arena, struct unmatched_row, count)};
    for (size_t i = 0; i < count; i++) {
        if (matched[i] == SIZE_MAX) {
            out.items[out.count++] = (struct unmatched_row){
                .row = i,
                .cells = expected ? expected_cells(reporting, i) : actual_cells(reporting, i),
                .columns = reporting->rows->columns,
                .other = SIZE_MAX};
        }
    }
    qsort(out.items, out.count, sizeof *out.items, order_of_rows);
    return out;
}

static void report_unordered(struct reporting *reporting)
{
    struct unmatched_rows missing = find_unmatched(reporting, true);
    struct unmatched_rows unexpected = find_unmatched(reporting, false);
    compare_pair(reporting->arena, reporting->rows, reporting->answer, &missing, &unexpected);
    for (size_t i = 0; i < missing.count; i++) {
        size_t other = missing.items[i].other;
        add_difference(reporting, missing.items[i].row,
                       other == SIZE_MAX ? SIZE_MAX : unexpected.items[other].row, 0);
    }
    for (size_t i = 0; i < unexpected.count; i++) {
        if (unexpected.items[i].other == SIZE_MAX) {
            add_difference(reporting, SIZE_MAX, unexpected.items[i].row, 0);
        }
    }
}

/* The number of equal rows at the end of both sides, which are not differences if one side has more
 * rows. */
static size_t common_end(const struct reporting *reporting, size_t start)
{
    size_t expected = reporting->rows->count;
    size_t actual = reporting->answer->row_count;
    size_t common = 0;
    while (expected - common > start && actual - common > start &&
           cells_equal(reporting, expected - common - 1, actual - common - 1,
                       reporting->rows->columns)) {
        common++;
    }
    return common;
}

static void report_list(struct reporting *reporting)
{
    size_t expected = reporting->rows->count;
    size_t actual = reporting->answer->row_count;
    size_t start = 0;
    while (start < expected && reporting->matching->of_expected[start] == start) {
        start++;
    }
    size_t end = expected == actual ? 0 : common_end(reporting, start);
    for (size_t i = start; i < expected - end || i < actual - end; i++) {
        if (i >= expected - end) {
            add_difference(reporting, SIZE_MAX, i, (int64_t)i + 1);
        } else if (i >= actual - end) {
            add_difference(reporting, i, SIZE_MAX, (int64_t)i + 1);
        } else if (reporting->matching->of_expected[i] != i) {
            add_difference(reporting, i, i, (int64_t)i + 1);
        }
    }
}

static bool mentions_order(const struct snippet *sql)
{
    static const char words[] = "order";
    enum { SIZE = sizeof words - 1 };
    for (size_t i = 0; sql && i + SIZE <= sql->size; i++) {
        if (strncasecmp(sql->text + i, words, SIZE) == 0) {
            return true;
        }
    }
    return false;
}

static const char *order_hint(const struct reporting *reporting)
{
    struct matching unordered;
    if (reporting->rows->count != reporting->answer->row_count ||
        !match_unordered(reporting->comparing, reporting->rows, reporting->answer, &unordered,
                         NULL) ||
        unordered.matched != reporting->rows->count) {
        return NULL;
    }
    return mentions_order(reporting->comparing->sql)
               ? "the rows are the same, but their order is not: sorted() compares code points, "
                 "ORDER BY uses the collation of the column (ORDER BY … COLLATE \"C\" compares "
                 "code points)"
               : "the rows are the same, but their order is not: without ORDER BY rows come in any "
                 "order. Compare them as bag([...]) or as a set, unless a function in FROM is to "
                 "give them in this order";
}

/* A hint for an expected list of items if one row holds all of them as a single value. */
static const char *single_value_hint(const struct reporting *reporting, struct value expected)
{
    const struct answer *answer = reporting->answer;
    if (answer->column_count != 1 || answer->row_count != 1) {
        return NULL;
    }
    struct value cell = answer->rows[0].as.tuple->items[0];
    return value_equal(cell, expected)
               ? "the query returns one row that holds the whole list: write (x,) for a row whose "
                 "one column holds the list x"
               : NULL;
}

static bool stands_twice(const struct reporting *reporting)
{
    if (!reporting->rows->set || reporting->matching->matched != reporting->rows->count) {
        return false;
    }
    for (size_t i = 0; i < reporting->answer->row_count; i++) {
        bool known = reporting->matching->of_actual[i] != SIZE_MAX;
        for (size_t j = 0; !known && j < reporting->rows->count; j++) {
            known = cells_equal(reporting, j, i, reporting->rows->columns);
        }
        if (!known) {
            return false;
        }
    }
    return true;
}

/* A hint about the first cells that look alike but differ. */
static const char *alike_hint(const struct reporting *reporting)
{
    const struct comparison *out = reporting->out;
    const struct answer *answer = reporting->answer;
    const char *hint = NULL;
    if (reporting->rows->columns == 1 && reporting->rows->count == 1 && answer->row_count == 1) {
        return compare_alike(reporting->arena, &answer->columns[0], expected_cells(reporting, 0)[0],
                             actual_cells(reporting, 0)[0]);
    }
    for (size_t i = 0; i < out->differences.count && !hint; i++) {
        const struct difference *difference = &out->differences.items[i];
        bool changed = difference->kind == DIFFERENCE_CHANGED;
        for (size_t j = 0; changed && j < reporting->rows->columns && !hint; j++) {
            if (difference->expected[j].differs) {
                hint = compare_alike(reporting->arena, &answer->columns[j],
                                     difference->expected[j].value, difference->actual[j].value);
            }
        }
    }
    return hint;
}

static const char *hint_of(const struct reporting *reporting, struct value expected)
{
    const char *hint = NULL;
    if (reporting->rows->shape == SHAPE_LIST) {
        hint = order_hint(reporting);
        hint = hint ? hint : single_value_hint(reporting, expected);
    } else if (stands_twice(reporting)) {
        hint = "a row came more than once: a set expects each row once, bag([...]) as often as "
               "written";
    }
    return hint ? hint : alike_hint(reporting);
}

/* Shows a single actual value on the expected line, and the rows if there are several. */
static void report_one(struct reporting *reporting)
{
    const struct answer *answer = reporting->answer;
    struct arena *arena = reporting->arena;
    bool single = reporting->rows->columns == 1;
    struct value expected = single ? expected_cells(reporting, 0)[0] : value_none();
    if (single && answer->row_count == 1) {
        struct value actual = actual_cells(reporting, 0)[0];
        expected = compare_align(arena, &answer->columns[0], expected, actual);
        reporting->out->actual = value_repr_text(arena, actual);
    }
    if (single) {
        reporting->out->expected = value_repr_text(arena, expected);
    }
    if (!single || answer->row_count > 1) {
        report_unordered(reporting);
    }
}

void compare_report(const struct comparing *comparing, struct value expected,
                    const struct expected_rows *rows, const struct answer *answer,
                    const struct matching *matching, struct comparison *out)
{
    struct reporting reporting = {comparing, comparing->arena, rows, answer, matching, out};
    out->expected = rows_text(comparing->arena, rows->count);
    out->actual = rows_text(comparing->arena, answer->row_count);
    out->columns = answer->columns;
    out->column_count = rows->columns;
    if (rows->shape == SHAPE_ONE) {
        report_one(&reporting);
    } else if (rows->shape == SHAPE_LIST) {
        report_list(&reporting);
    } else {
        report_unordered(&reporting);
    }
    out->hint = hint_of(&reporting, expected);
}
