/* What a person is told about a comparison that failed. */
#include "engine/compare.h"

#include "base/utf8.h"

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

const char *repr_text(struct arena *arena, struct value value)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    if (text.size > COMPARE_TEXT_MAX) {
        strbuf_truncate(&text, utf8_cut(text.data, COMPARE_TEXT_MAX));
        strbuf_adds(&text, "…");
    }
    char *copy = strbuf_copy(&text, arena);
    strbuf_free(&text);
    return copy;
}

/* A row of one column is shown as its value. */
static struct value actual_item(const struct answer *answer, size_t row)
{
    struct value tuple = answer->rows[row];
    return answer->column_count == 1 ? tuple.as.tuple->items[0] : tuple;
}

static void add(struct reporting *reporting, const struct difference *difference)
{
    struct comparison *out = reporting->out;
    out->difference_count++;
    if (out->differences.count < DIFFERENCES_MAX) {
        *VEC_PUSH(reporting->arena, &out->differences) = *difference;
    }
}

static void add_missing(struct reporting *reporting, size_t row, int64_t place)
{
    add(reporting, &(struct difference){.kind = DIFFERENCE_MISSING,
                                        .expected = reporting->rows->items[row],
                                        .place = place});
}

static void add_unexpected(struct reporting *reporting, size_t row, int64_t place)
{
    add(reporting, &(struct difference){.kind = DIFFERENCE_UNEXPECTED,
                                        .actual = actual_item(reporting->answer, row),
                                        .place = place});
}

static void add_changed(struct reporting *reporting, size_t expected, size_t actual, int64_t place)
{
    add(reporting, &(struct difference){.kind = DIFFERENCE_CHANGED,
                                        .expected = reporting->rows->items[expected],
                                        .actual = actual_item(reporting->answer, actual),
                                        .place = place});
}

static bool cells_equal(const struct reporting *reporting, size_t expected, size_t actual,
                        size_t columns)
{
    const struct value *a = reporting->rows->cells + expected * reporting->rows->columns;
    const struct value *b = reporting->answer->rows[actual].as.tuple->items;
    for (size_t i = 0; i < columns; i++) {
        if (compare_cell(&reporting->answer->columns[i], a[i], b[i]) != CELL_EQUAL) {
            return false;
        }
    }
    return true;
}

/* The row of the answer, not spoken for, that has the key of expected row `row`. */
static size_t same_key(const struct reporting *reporting, const bool *used, size_t row)
{
    for (size_t i = 0; i < reporting->answer->row_count; i++) {
        if (reporting->matching->of_actual[i] == SIZE_MAX && !used[i] &&
            cells_equal(reporting, row, i, reporting->rows->key_columns)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Rows of a set or a dict come from the model in one order and from the database in another: they
 * are told in that of their values, so that what belongs together is found. */
struct placed {
    struct value item;
    size_t row;
};

/* UUIDs are made up anew in each run: by them nothing is ordered. */
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

static int order_of_rows(const void *left, const void *right)
{
    const struct placed *a = left;
    const struct placed *b = right;
    int order = 0;
    if (a->item.type == VALUE_TUPLE && b->item.type == VALUE_TUPLE) {
        const struct tuple *first = a->item.as.tuple;
        const struct tuple *second = b->item.as.tuple;
        for (size_t i = 0; !order && i < first->count && i < second->count; i++) {
            order = order_of_cells(first->items[i], second->items[i]);
        }
    } else {
        order = order_of_cells(a->item, b->item);
    }
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static struct placed *in_order(struct placed *rows, size_t count)
{
    if (count) {
        qsort(rows, count, sizeof *rows, order_of_rows);
    }
    return rows;
}

static const struct placed *expected_in_order(const struct reporting *reporting)
{
    size_t count = reporting->rows->count;
    struct placed *rows = ARENA_ARRAY(reporting->arena, struct placed, count);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct placed){reporting->rows->items[i], i};
    }
    return in_order(rows, count);
}

static const struct placed *actual_in_order(const struct reporting *reporting)
{
    size_t count = reporting->answer->row_count;
    struct placed *rows = ARENA_ARRAY(reporting->arena, struct placed, count);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct placed){actual_item(reporting->answer, i), i};
    }
    return in_order(rows, count);
}

static void report_unordered(struct reporting *reporting)
{
    bool *used = ARENA_ARRAY(reporting->arena, bool, reporting->answer->row_count);
    const struct placed *expected = expected_in_order(reporting);
    const struct placed *unexpected = actual_in_order(reporting);
    for (size_t at = 0; at < reporting->rows->count; at++) {
        size_t i = expected[at].row;
        if (reporting->matching->of_expected[i] != SIZE_MAX) {
            continue;
        }
        size_t actual =
            reporting->rows->shape == SHAPE_DICT ? same_key(reporting, used, i) : SIZE_MAX;
        if (actual == SIZE_MAX) {
            add_missing(reporting, i, 0);
        } else {
            used[actual] = true;
            add_changed(reporting, i, actual, 0);
        }
    }
    for (size_t at = 0; at < reporting->answer->row_count; at++) {
        size_t i = unexpected[at].row;
        if (reporting->matching->of_actual[i] == SIZE_MAX && !used[i]) {
            add_unexpected(reporting, i, 0);
        }
    }
}

/* Rows that stand alike at the end of both are no news where one has more rows than the other. */
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
            add_unexpected(reporting, i, (int64_t)i + 1);
        } else if (i >= actual - end) {
            add_missing(reporting, i, (int64_t)i + 1);
        } else if (reporting->matching->of_expected[i] != i) {
            add_changed(reporting, i, i, (int64_t)i + 1);
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
               ? "the rows are the same, their order is not: sorted() goes by code point, ORDER BY "
                 "by the collation of the column (ORDER BY … COLLATE \"C\" goes by code point)"
               : "the rows are the same, their order is not: without ORDER BY rows come in any "
                 "order; compare them as bag([...]) or as a set";
}

/* A list of items where one row holds them all as its one value. */
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

/* The first cell that looks the same on both sides and is not: "1" and 1. */
static const char *type_hint(const struct reporting *reporting)
{
    const struct expected_rows *rows = reporting->rows;
    if (rows->count == 0 || reporting->answer->row_count == 0 || reporting->matching->matched) {
        return NULL;
    }
    const char *hint = NULL;
    struct strbuf a = {0};
    struct strbuf b = {0};
    for (size_t i = 0; !hint && i < rows->columns; i++) {
        struct value expected = rows->cells[i];
        struct value actual = reporting->answer->rows[0].as.tuple->items[i];
        strbuf_clear(&a);
        strbuf_clear(&b);
        value_str(expected, &a);
        value_str(actual, &b);
        if (expected.type != actual.type && strcmp(strbuf_text(&a), strbuf_text(&b)) == 0) {
            hint =
                arena_printf(reporting->arena,
                             "the model has a value of type %s, the column %s (%s) one of type %s",
                             value_type_name(expected), reporting->answer->columns[i].name,
                             reporting->answer->columns[i].type_name, value_type_name(actual));
        }
    }
    strbuf_free(&a);
    strbuf_free(&b);
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
    return hint ? hint : type_hint(reporting);
}

/* One row is shown whole; where several came, which. */
static void report_one(struct reporting *reporting, struct value expected)
{
    const struct answer *answer = reporting->answer;
    reporting->out->expected = repr_text(reporting->arena, expected);
    reporting->out->actual = answer->row_count == 1
                                 ? repr_text(reporting->arena, actual_item(answer, 0))
                                 : rows_text(reporting->arena, answer->row_count);
    if (answer->row_count > 1) {
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
    if (rows->shape == SHAPE_ONE) {
        report_one(&reporting, expected);
    } else if (rows->shape == SHAPE_LIST) {
        report_list(&reporting);
    } else {
        report_unordered(&reporting);
    }
    out->hint = hint_of(&reporting, expected);
}
