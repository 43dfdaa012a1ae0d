/*
 * Matches rows. Unordered rows with equal decoded values are joined by hash. The others are tried
 * pair by pair, because a column's type may treat different values as equal.
 */
#include "example/compare/compare.h"

#include <stdint.h>
#include <string.h>

/* Pairs of rows in one question to the server. */
enum { PAIRS_MAX = 4096 };

struct pair {
    size_t expected;
    size_t actual;
    bool same;
};

struct pairs {
    const struct comparing *comparing;
    const struct expected_rows *rows;
    const struct answer *answer;
    VEC(struct pair) list;
};

static const struct value *expected_row(const struct expected_rows *rows, size_t row)
{
    return rows->cells + row * rows->columns;
}

static const struct value *actual_row(const struct answer *answer, size_t row)
{
    return answer->rows[row].as.tuple->items;
}

static enum cell_verdict row_verdict(const struct answer *answer, const struct value *expected,
                                     const struct value *actual)
{
    enum cell_verdict all = CELL_EQUAL;
    for (size_t i = 0; i < answer->column_count && all != CELL_DIFFERENT; i++) {
        enum cell_verdict one = compare_cell(&answer->columns[i], expected[i], actual[i]);
        all = one == CELL_EQUAL ? all : one;
    }
    return all;
}

/* Asks the server about one column of all pairs that may still match. */
static bool ask_column(struct pairs *pairs, size_t column, struct error *err)
{
    struct arena *arena = pairs->comparing->arena;
    struct value *expected = ARENA_ARRAY(arena, struct value, pairs->list.count);
    struct value *actual = ARENA_ARRAY(arena, struct value, pairs->list.count);
    bool *same = ARENA_ARRAY(arena, bool, pairs->list.count);
    size_t *which = ARENA_ARRAY(arena, size_t, pairs->list.count);
    const struct answer_column *type = &pairs->answer->columns[column];
    size_t count = 0;
    for (size_t i = 0; i < pairs->list.count; i++) {
        expected[count] = expected_row(pairs->rows, pairs->list.items[i].expected)[column];
        actual[count] = actual_row(pairs->answer, pairs->list.items[i].actual)[column];
        if (pairs->list.items[i].same &&
            compare_cell(type, expected[count], actual[count]) == CELL_ASK) {
            which[count++] = i;
        }
    }
    struct backend *backend = pairs->comparing->backend;
    if (count && !backend->ops->equal(backend, type->type, expected, actual, count, same, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pairs->list.items[which[i]].same = same[i];
    }
    return true;
}

static bool ask_pairs(struct pairs *pairs, struct error *err)
{
    for (size_t i = 0; pairs->list.count && i < pairs->answer->column_count; i++) {
        if (!ask_column(pairs, i, err)) {
            return false;
        }
    }
    return true;
}

static void match_rows(struct matching *matching, size_t expected, size_t actual)
{
    matching->of_expected[expected] = actual;
    matching->of_actual[actual] = expected;
    matching->matched++;
}

/* Takes the pairs in order, each row once. */
static bool settle_pairs(struct pairs *pairs, struct matching *matching, struct error *err)
{
    if (!ask_pairs(pairs, err)) {
        return false;
    }
    for (size_t i = 0; i < pairs->list.count; i++) {
        const struct pair *pair = &pairs->list.items[i];
        if (pair->same && matching->of_expected[pair->expected] == SIZE_MAX &&
            matching->of_actual[pair->actual] == SIZE_MAX) {
            match_rows(matching, pair->expected, pair->actual);
        }
    }
    pairs->list.count = 0;
    return true;
}

/* Adds the pair unless its rows certainly differ. */
static bool try_pair(struct pairs *pairs, struct matching *matching, size_t expected, size_t actual,
                     struct error *err)
{
    enum cell_verdict verdict = row_verdict(pairs->answer, expected_row(pairs->rows, expected),
                                            actual_row(pairs->answer, actual));
    if (verdict == CELL_EQUAL && matching->of_expected[expected] == SIZE_MAX) {
        match_rows(matching, expected, actual);
    } else if (verdict == CELL_ASK) {
        *VEC_PUSH(pairs->comparing->arena, &pairs->list) = (struct pair){expected, actual, true};
    }
    return pairs->list.count < PAIRS_MAX || settle_pairs(pairs, matching, err);
}

static size_t *nothing_matched(struct arena *arena, size_t count)
{
    size_t *of = ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        of[i] = SIZE_MAX;
    }
    return of;
}

static struct pairs begin_pairs(const struct comparing *comparing,
                                const struct expected_rows *expected, const struct answer *answer,
                                struct matching *out)
{
    out->matched = 0;
    out->of_expected = nothing_matched(comparing->arena, expected->count);
    out->of_actual = nothing_matched(comparing->arena, answer->row_count);
    return (struct pairs){comparing, expected, answer, {0}};
}

bool match_in_order(const struct comparing *comparing, const struct expected_rows *expected,
                    const struct answer *answer, struct matching *out, struct error *err)
{
    struct pairs pairs = begin_pairs(comparing, expected, answer, out);
    size_t count = expected->count < answer->row_count ? expected->count : answer->row_count;
    for (size_t i = 0; i < count; i++) {
        if (!try_pair(&pairs, out, i, i, err)) {
            return false;
        }
    }
    return settle_pairs(&pairs, out, err);
}

/* Lists and dicts have no hash, so their rows share a bucket. */
static uint64_t row_hash(const struct value *cells, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t one = 0;
        if (!value_hash(cells[i], &one, NULL)) {
            one = 1;
        }
        hash = (hash ^ one) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    }
    return hash;
}

static bool row_equal(const struct value *a, const struct value *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!value_equal(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

/* Expected rows by hash: the `head` of each bucket, and `next` in it. */
struct row_index {
    size_t *head;
    size_t *next;
    size_t mask;
};

static struct row_index index_rows(struct arena *arena, const struct expected_rows *rows)
{
    size_t size = 4;
    while (size < rows->count * 2) {
        size *= 2;
    }
    struct row_index index = {nothing_matched(arena, size), nothing_matched(arena, rows->count),
                              size - 1};
    for (size_t i = rows->count; i-- > 0;) {
        size_t slot = (size_t)row_hash(expected_row(rows, i), rows->columns) & index.mask;
        index.next[i] = index.head[slot];
        index.head[slot] = i;
    }
    return index;
}

/* Finds an expected row that equals the answer's, and removes it. */
static size_t index_take(struct row_index *index, const struct expected_rows *rows,
                         const struct value *cells)
{
    size_t *link = &index->head[(size_t)row_hash(cells, rows->columns) & index->mask];
    while (*link != SIZE_MAX) {
        size_t row = *link;
        if (row_equal(expected_row(rows, row), cells, rows->columns)) {
            *link = index->next[row];
            return row;
        }
        link = &index->next[row];
    }
    return SIZE_MAX;
}

/* True if a column may treat different decoded values as equal. */
static bool has_loose_column(const struct answer *answer)
{
    for (size_t i = 0; i < answer->column_count; i++) {
        enum column_class class = answer->columns[i].class;
        if (class != COLUMN_NUMBER && class != COLUMN_TEXT && class != COLUMN_BYTES) {
            return true;
        }
    }
    return false;
}

static bool match_leftovers(struct pairs *pairs, struct matching *matching, struct error *err)
{
    for (size_t i = 0; i < pairs->rows->count; i++) {
        for (size_t j = 0; j < pairs->answer->row_count; j++) {
            if (matching->of_expected[i] == SIZE_MAX && matching->of_actual[j] == SIZE_MAX &&
                !try_pair(pairs, matching, i, j, err)) {
                return false;
            }
        }
    }
    return settle_pairs(pairs, matching, err);
}

bool match_unordered(const struct comparing *comparing, const struct expected_rows *expected,
                     const struct answer *answer, struct matching *out, struct error *err)
{
    struct pairs pairs = begin_pairs(comparing, expected, answer, out);
    struct row_index index = index_rows(comparing->arena, expected);
    for (size_t i = 0; i < answer->row_count; i++) {
        size_t row = index_take(&index, expected, actual_row(answer, i));
        if (row != SIZE_MAX) {
            match_rows(out, row, i);
        }
    }
    bool rest = out->matched < expected->count && out->matched < answer->row_count;
    return !rest || !has_loose_column(answer) || match_leftovers(&pairs, out, err);
}
