/*
 * Rows without an order, with values that have no partner yet. The colour of a row is a hash of
 * what is known of it and of the colours of its other values; that of a value is a hash of the rows
 * that it is in. In each round the colours tell more apart (1-dimensional Weisfeiler-Leman). If one
 * bag is the other with other names, their colours are the same. Values whose colour no other has
 * become pairs; what is tied stays open.
 */
#include "base/hash.h"
#include "diff/known.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 64 };

static uint64_t combine(uint64_t a, uint64_t b) { return hash_mix(a * 31 + b); }

static int compare_colours(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct colours {
    struct arena *arena;
    const struct known_rows *known;
    uint64_t *rows;
    uint64_t *sorted;
    size_t distinct; /* of values */
};

static void colour_rows(struct colours *colours)
{
    const struct known_rows *known = colours->known;
    memcpy(colours->rows, known->hashes, known->count * sizeof *colours->rows);
    for (size_t i = 0; i < known->occurrences.count; i++) {
        const struct occurrence *at = &known->occurrences.items[i];
        colours->rows[at->row] += combine(at->path, known->leaves.items[at->leaf].colour);
    }
    for (size_t i = 0; i < known->count; i++) {
        colours->rows[i] = hash_mix(colours->rows[i]);
    }
}

static void colour_leaves(struct colours *colours)
{
    const struct known_rows *known = colours->known;
    for (size_t i = 0; i < known->occurrences.count; i++) {
        const struct occurrence *at = &known->occurrences.items[i];
        known->leaves.items[at->leaf].sum += combine(at->path, colours->rows[at->row]);
    }
    for (size_t i = 0; i < known->leaves.count; i++) {
        struct unknown_leaf *leaf = &known->leaves.items[i];
        leaf->colour = combine(leaf->colour, leaf->sum);
        leaf->sum = 0;
    }
}

static size_t count_distinct(struct colours *colours)
{
    const struct known_rows *known = colours->known;
    struct arena_mark mark = arena_mark(colours->arena);
    uint64_t *all = ARENA_ARRAY(colours->arena, uint64_t, known->leaves.count + 1);
    for (size_t i = 0; i < known->leaves.count; i++) {
        all[i] = known->leaves.items[i].colour;
    }
    qsort(all, known->leaves.count, sizeof *all, compare_colours);
    size_t distinct = known->leaves.count > 0;
    for (size_t i = 1; i < known->leaves.count; i++) {
        distinct += all[i] != all[i - 1];
    }
    arena_rewind(colours->arena, mark);
    return distinct;
}

static struct colours colours_new(struct arena *arena, const struct known_rows *known)
{
    struct colours colours = {.arena = arena, .known = known};
    colours.rows = ARENA_ARRAY(arena, uint64_t, known->count + 1);
    colours.sorted = ARENA_ARRAY(arena, uint64_t, known->count + 1);
    return colours;
}

static bool same_rows(struct colours *before, struct colours *after)
{
    size_t size = before->known->count * sizeof *before->rows;
    colour_rows(before);
    colour_rows(after);
    memcpy(before->sorted, before->rows, size);
    memcpy(after->sorted, after->rows, size);
    qsort(before->sorted, before->known->count, sizeof *before->sorted, compare_colours);
    qsort(after->sorted, after->known->count, sizeof *after->sorted, compare_colours);
    return memcmp(before->sorted, after->sorted, size) == 0;
}

/* Colours the values of both until no round tells more of them apart. */
static bool refine(struct colours *before, struct colours *after)
{
    bool same =
        before->known->leaves.count == after->known->leaves.count && same_rows(before, after);
    size_t distinct = 0;
    before->distinct = count_distinct(before);
    for (size_t round = 0; same && before->distinct > distinct && round < ROUNDS_MAX; round++) {
        distinct = before->distinct;
        colour_leaves(before);
        colour_leaves(after);
        before->distinct = count_distinct(before);
        same = same_rows(before, after);
    }
    return same;
}

/* Returns true if both sides have the same values of a kind. */
static bool same_of_kind(const struct known_rows *before, const struct known_rows *after,
                         enum unknown_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < before->leaves.count; i++) {
        const struct unknown_leaf *leaf = &before->leaves.items[i];
        count += leaf->kind == kind;
        if (leaf->kind == kind && map_find(&after->by_hash, leaf->hash) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < after->leaves.count; i++) {
        count -= after->leaves.items[i].kind == kind;
    }
    return count == 0;
}

static void colour_as_they_are(const struct known_rows *known, enum unknown_kind kind)
{
    for (size_t i = 0; i < known->leaves.count; i++) {
        struct unknown_leaf *leaf = &known->leaves.items[i];
        leaf->colour = leaf->kind == kind ? leaf->hash : leaf->colour;
    }
}

/* Where both sides have the same values of a kind without partners, they most likely made them
 * alike: each is then its own partner. */
static bool agree_as_they_are(struct colours *before, struct colours *after)
{
    bool some = false;
    for (enum unknown_kind kind = 0; kind < UNKNOWN_KINDS; kind++) {
        if (same_of_kind(before->known, after->known, kind)) {
            colour_as_they_are(before->known, kind);
            colour_as_they_are(after->known, kind);
            some = true;
        }
    }
    return some && refine(before, after);
}

static int compare_leaves(const void *a, const void *b)
{
    const struct unknown_leaf *x = a;
    const struct unknown_leaf *y = b;
    return (x->colour > y->colour) - (x->colour < y->colour);
}

static void sort_leaves(const struct known_rows *known)
{
    if (known->leaves.count > 1) {
        qsort(known->leaves.items, known->leaves.count, sizeof *known->leaves.items,
              compare_leaves);
    }
}

static bool alone(const struct known_rows *known, size_t i)
{
    const struct unknown_leaf *leaves = known->leaves.items;
    return (i == 0 || leaves[i - 1].colour != leaves[i].colour) &&
           (i + 1 == known->leaves.count || leaves[i + 1].colour != leaves[i].colour);
}

/* Joins the values whose colour each side has once. */
static void join_alone(struct pairs *pairs, const struct known_rows *before,
                       const struct known_rows *after)
{
    sort_leaves(before);
    sort_leaves(after);
    for (size_t i = 0, k = 0; i < before->leaves.count; i++) {
        const struct unknown_leaf *leaf = &before->leaves.items[i];
        while (k < after->leaves.count && after->leaves.items[k].colour < leaf->colour) {
            k++;
        }
        if (k < after->leaves.count && after->leaves.items[k].colour == leaf->colour &&
            alone(before, i) && alone(after, k)) {
            pairs_join(pairs, leaf->value, after->leaves.items[k].value);
        }
    }
}

static void reset_colours(const struct known_rows *known)
{
    for (size_t i = 0; i < known->leaves.count; i++) {
        known->leaves.items[i].colour = known->leaves.items[i].kind + 1;
    }
}

static bool agree(const struct shared_rows *rows)
{
    struct arena *arena = rows->sides->arena;
    struct known_both known;
    size_t pairs = pairs_count(rows->sides->pairs);
    known_rows(rows, &known);
    struct colours before = colours_new(arena, &known.before);
    struct colours after = colours_new(arena, &known.after);
    reset_colours(&known.before);
    reset_colours(&known.after);
    bool same = agree_as_they_are(&before, &after);
    if (!same) {
        reset_colours(&known.before);
        reset_colours(&known.after);
        same = refine(&before, &after);
    }
    if (same) {
        join_alone(rows->sides->pairs, &known.before, &known.after);
    } else {
        pairs_cut(rows->sides->pairs, pairs);
    }
    return same;
}

bool rows_agree_as_bag(const struct shared_rows *rows)
{
    if (rows->before->row_count != rows->after->row_count) {
        return false;
    }
    struct arena_mark mark = arena_mark(rows->sides->arena);
    bool same = agree(rows);
    arena_rewind(rows->sides->arena, mark);
    return same;
}
