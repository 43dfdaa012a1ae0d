/* Which rows correspond where two answers do not agree: first those that agree, by what is known of
 * them; of the rest those with the most cells in common. */
#include "diff/cells.h"
#include "diff/known.h"

#include <stdlib.h>

enum {
    ROUNDS_MAX = 16,
    ALIKE_MAX = 200, /* rows of each side that are compared with all of the other */
};

struct left_row {
    size_t row;
    uint64_t key;
};
struct left_rows {
    struct left_row *items;
    size_t count;
};
struct aligning {
    const struct shared_rows *rows;
    struct arena *arena;
    struct left_rows before;
    struct left_rows after;
    struct alignment *out;
};

static int compare_keys(const void *a, const void *b)
{
    const struct left_row *x = a;
    const struct left_row *y = b;
    int order = (x->key > y->key) - (x->key < y->key);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_places(const void *a, const void *b)
{
    const struct left_row *x = a;
    const struct left_row *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Keeps the rows that no partner was found for: the others are marked by SIZE_MAX. */
static void drop_matched(struct left_rows *left)
{
    size_t kept = 0;
    for (size_t i = 0; i < left->count; i++) {
        if (left->items[i].row != SIZE_MAX) {
            left->items[kept++] = left->items[i];
        }
    }
    left->count = kept;
}

static size_t same_key(const struct left_rows *left, size_t first)
{
    size_t end = first;
    while (end < left->count && left->items[end].key == left->items[first].key) {
        end++;
    }
    return end;
}

/* Matches the row with the first one of a group that agrees. */
static bool match_in_group(const struct aligning *aligning, size_t before, size_t first, size_t end)
{
    struct left_row *row = &aligning->before.items[before];
    for (size_t k = first; k < end; k++) {
        struct left_row *other = &aligning->after.items[k];
        if (other->row != SIZE_MAX && rows_agree(aligning->rows, row->row, other->row)) {
            row->row = SIZE_MAX;
            other->row = SIZE_MAX;
            return true;
        }
    }
    return false;
}

/* Matches rows under the same key; those under a key that each side has `most` times at most. */
static size_t match_by_key(struct aligning *aligning, size_t most)
{
    size_t matched = 0;
    size_t k = 0;
    for (size_t i = 0; i < aligning->before.count;) {
        size_t end = same_key(&aligning->before, i);
        while (k < aligning->after.count &&
               aligning->after.items[k].key < aligning->before.items[i].key) {
            k++;
        }
        bool both = k < aligning->after.count &&
                    aligning->after.items[k].key == aligning->before.items[i].key;
        size_t end_after = both ? same_key(&aligning->after, k) : k;
        bool few = end - i <= most && end_after - k <= most;
        for (; both && few && i < end; i++) {
            matched += match_in_group(aligning, i, k, end_after);
        }
        i = end;
        k = end_after;
    }
    drop_matched(&aligning->before);
    drop_matched(&aligning->after);
    return matched;
}

static void set_keys(struct aligning *aligning)
{
    struct arena_mark mark = arena_mark(aligning->arena);
    struct known_both known;
    known_rows(aligning->rows, &known);
    for (size_t i = 0; i < aligning->before.count; i++) {
        aligning->before.items[i].key = known.before.hashes[aligning->before.items[i].row];
    }
    for (size_t i = 0; i < aligning->after.count; i++) {
        aligning->after.items[i].key = known.after.hashes[aligning->after.items[i].row];
    }
    arena_rewind(aligning->arena, mark);
    qsort(aligning->before.items, aligning->before.count, sizeof *aligning->before.items,
          compare_keys);
    qsort(aligning->after.items, aligning->after.count, sizeof *aligning->after.items,
          compare_keys);
}

/* Matches what agrees: single rows, as long as they make others known; then ties in their order. */
static void match_agreeing(struct aligning *aligning)
{
    enum { SINGLE = 1 };
    size_t matched = 1;
    for (size_t round = 0; matched > 0 && round < ROUNDS_MAX; round++) {
        set_keys(aligning);
        matched = match_by_key(aligning, SINGLE);
        if (matched == 0) {
            matched = match_by_key(aligning, SIZE_MAX);
        }
    }
    qsort(aligning->before.items, aligning->before.count, sizeof *aligning->before.items,
          compare_places);
    qsort(aligning->after.items, aligning->after.count, sizeof *aligning->after.items,
          compare_places);
}

/* How alike two rows are: two points for each cell that is the same, more if it is the first, and
 * one for each whose values may become a pair. */
static size_t likeness(const struct shared_rows *rows, size_t before, size_t after)
{
    size_t first = pairs_count(rows->sides->pairs);
    size_t score = 0;
    for (size_t i = 0; i < rows->column_count; i++) {
        size_t known = pairs_count(rows->sides->pairs);
        if (cells_agree(rows->sides, rows->columns[i].nature, cell_before(rows, before, i),
                        cell_after(rows, after, i))) {
            bool same = pairs_count(rows->sides->pairs) == known;
            score += !same ? 1 : i == 0 ? 2 * rows->column_count : 2;
        }
    }
    pairs_cut(rows->sides->pairs, first);
    return score;
}

struct likely {
    size_t before;
    size_t after;
    size_t score;
};

static int compare_likely(const void *a, const void *b)
{
    const struct likely *x = a;
    const struct likely *y = b;
    if (x->score != y->score) {
        return x->score < y->score ? 1 : -1;
    }
    if (x->before != y->before) {
        return x->before < y->before ? -1 : 1;
    }
    return (x->after > y->after) - (x->after < y->after);
}

/* Half of the cells in common; the only row of each answer is the same row in any case. */
static bool is_alike(const struct shared_rows *rows, size_t score)
{
    return (rows->before->row_count == 1 && rows->after->row_count == 1) ||
           (score > 0 && score >= rows->column_count);
}

/* Rows that are one row with other values. */
static void match_alike(struct aligning *aligning)
{
    size_t rows = aligning->before.count < ALIKE_MAX ? aligning->before.count : ALIKE_MAX;
    size_t others = aligning->after.count < ALIKE_MAX ? aligning->after.count : ALIKE_MAX;
    struct likely *all = ARENA_ARRAY(aligning->arena, struct likely, rows * others + 1);
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < others; k++) {
            all[i * others + k] =
                (struct likely){i, k,
                                likeness(aligning->rows, aligning->before.items[i].row,
                                         aligning->after.items[k].row)};
        }
    }
    qsort(all, rows * others, sizeof *all, compare_likely);
    for (size_t i = 0; i < rows * others; i++) {
        struct left_row *before = &aligning->before.items[all[i].before];
        struct left_row *after = &aligning->after.items[all[i].after];
        if (before->row != SIZE_MAX && after->row != SIZE_MAX &&
            is_alike(aligning->rows, all[i].score)) {
            *VEC_PUSH(aligning->arena, &aligning->out->changed) =
                (struct row_pair){before->row, after->row};
            before->row = SIZE_MAX;
            after->row = SIZE_MAX;
        }
    }
    drop_matched(&aligning->before);
    drop_matched(&aligning->after);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct row_pair *x = a;
    const struct row_pair *y = b;
    size_t first = x->before != SIZE_MAX ? x->before : x->after;
    size_t second = y->before != SIZE_MAX ? y->before : y->after;
    if (first != second) {
        return first < second ? -1 : 1;
    }
    return (x->before == SIZE_MAX) - (y->before == SIZE_MAX);
}

static struct left_rows rows_between(struct arena *arena, size_t first, size_t end)
{
    struct left_rows left = {ARENA_ARRAY(arena, struct left_row, end - first + 1), end - first};
    for (size_t i = 0; i < left.count; i++) {
        left.items[i].row = first + i;
    }
    return left;
}

/* Leaves out what agrees at the beginning and at the end. */
static void trim(struct aligning *aligning, enum alignment_kind kind)
{
    const struct shared_rows *rows = aligning->rows;
    size_t end = rows->before->row_count;
    size_t end_after = rows->after->row_count;
    size_t first = 0;
    while (kind == ALIGN_LIST && first < end && first < end_after &&
           rows_agree(rows, first, first)) {
        first++;
    }
    while (kind == ALIGN_LIST && end > first && end_after > first &&
           rows_agree(rows, end - 1, end_after - 1)) {
        end--;
        end_after--;
    }
    aligning->before = rows_between(aligning->arena, first, end);
    aligning->after = rows_between(aligning->arena, first, end_after);
}

void rows_align(const struct shared_rows *rows, enum alignment_kind kind, struct alignment *out)
{
    struct aligning aligning = {.rows = rows, .arena = rows->sides->arena, .out = out};
    *out = (struct alignment){0};
    trim(&aligning, kind);
    match_agreeing(&aligning);
    match_alike(&aligning);
    for (size_t i = 0; i < aligning.before.count; i++) {
        *VEC_PUSH(aligning.arena, &out->changed) =
            (struct row_pair){aligning.before.items[i].row, SIZE_MAX};
    }
    for (size_t i = 0; i < aligning.after.count; i++) {
        *VEC_PUSH(aligning.arena, &out->changed) =
            (struct row_pair){SIZE_MAX, aligning.after.items[i].row};
    }
    if (out->changed.count > 1) {
        qsort(out->changed.items, out->changed.count, sizeof *out->changed.items, compare_pairs);
    }
}
