/* Random bags: one under other names agrees, and one in which two ids are swapped does not. */
#include "sides.h"

#include "gen/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS_MAX = 30, IDS_MAX = 40, COLUMNS = 5, ANSWERS = 4, ROUNDS = 400 };

/* The ids of an example and what they are called: in the second database, id i is under another
 * name. */
struct world {
    struct both both;
    struct rng rng;
    size_t other[IDS_MAX]; /* the name of each id in the second database */
    bool renamed;
};

static void open_world(struct world *world, uint64_t seed)
{
    both_open(&world->both);
    rng_seed(&world->rng, seed, 1);
    world->renamed = rng_below(&world->rng, 4) > 0;
    for (size_t i = 0; i < IDS_MAX; i++) {
        world->other[i] = i;
    }
    for (size_t i = IDS_MAX - 1; world->renamed && i > 0; i--) {
        size_t k = rng_below(&world->rng, i + 1);
        size_t swapped = world->other[i];
        world->other[i] = world->other[k];
        world->other[k] = swapped;
    }
    (void)natures_loosen(world->both.sides.natures, "rule a", "token");
}

static struct value uuid_of(struct world *world, size_t number)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%08zx-0000-4000-8000-%012zx", number * 7919 + 17, number);
    return value_text(&world->both.arena, text);
}

/* A row of ids, as numbers: its own, another one, one inside of a text and one inside of JSON, and
 * a short text. */
struct drawn_row {
    size_t ids[COLUMNS - 1];
    size_t note;
};

struct drawn {
    struct drawn_row rows[ROWS_MAX];
    size_t count;
    size_t ids;
};

static struct drawn draw(struct world *world)
{
    struct drawn drawn = {.count = 1 + rng_below(&world->rng, ROWS_MAX),
                          .ids = 1 + rng_below(&world->rng, IDS_MAX)};
    for (size_t i = 0; i < drawn.count; i++) {
        for (size_t k = 0; k < COLUMNS - 1; k++) {
            drawn.rows[i].ids[k] = rng_below(&world->rng, drawn.ids);
        }
        drawn.rows[i].note = rng_below(&world->rng, 4);
    }
    return drawn;
}

static struct value pair_of(struct world *world, struct value first, struct value second)
{
    struct value list = value_list(&world->both.arena);
    list_append(list.as.list, first);
    list_append(list.as.list, second);
    return list;
}

/* {id: 1, other id: [id, short text]}, in the order of the keys. */
static struct value json_of(struct world *world, size_t id, size_t other, struct value note)
{
    struct value data = value_dict(&world->both.arena);
    const struct value values[] = {value_int(1), pair_of(world, uuid_of(world, id), note)};
    for (size_t i = 0; i < 2; i++) {
        size_t k = other < id ? 1 - i : i;
        (void)table_set(data.as.table, uuid_of(world, k == 0 ? id : other), values[k], NULL);
    }
    return data;
}

static struct value row_of(struct world *world, const struct drawn_row *row, const size_t *names)
{
    static const char *const columns[COLUMNS] = {"id", "token", "text", "data", "note"};
    struct arena *arena = &world->both.arena;
    struct value note = value_int((int64_t)row->note);
    struct value data = json_of(world, names[row->ids[3]], names[row->ids[2]], note);
    const struct value cells[COLUMNS] = {
        uuid_of(world, names[row->ids[0]]),
        value_text(arena, arena_printf(arena, "token-%zu", names[row->ids[1]])),
        value_text(arena, arena_printf(arena, "for %s, %zu",
                                       value_cstr(uuid_of(world, names[row->ids[2]])), row->note)),
        data, note};
    return value_row(arena, cells, columns, COLUMNS);
}

static const struct answer *answer(struct world *world, const struct drawn *drawn,
                                   const size_t *names)
{
    static const struct answer_column columns[COLUMNS] = {{.name = "id", .type_name = "uuid"},
                                                          {.name = "token", .type_name = "text"},
                                                          {.name = "text", .type_name = "text"},
                                                          {.name = "data", .type_name = "jsonb"},
                                                          {.name = "note", .type_name = "integer"}};
    struct answer *out = ARENA_NEW(&world->both.arena, struct answer);
    struct value *rows = ARENA_ARRAY(&world->both.arena, struct value, drawn->count);
    for (size_t i = 0; i < drawn->count; i++) {
        rows[i] = row_of(world, &drawn->rows[i], names);
    }
    out->columns = columns;
    out->column_count = COLUMNS;
    out->rows = rows;
    out->row_count = drawn->count;
    out->count = (int64_t)drawn->count;
    return out;
}

static void shuffle(struct world *world, struct drawn *drawn)
{
    for (size_t i = drawn->count - 1; i > 0; i--) {
        size_t k = rng_below(&world->rng, i + 1);
        struct drawn_row row = drawn->rows[i];
        drawn->rows[i] = drawn->rows[k];
        drawn->rows[k] = row;
    }
}

static const struct divergence *ask(struct world *world, const struct drawn *before,
                                    const struct drawn *after, bool ordered)
{
    static const size_t same[IDS_MAX] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                         14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                         28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39};
    const struct asked asked = {.place = "rule a", .ordered = ordered};
    return sides_compare(&world->both.sides, &asked, answer(world, before, same),
                         answer(world, after, world->other));
}

/* Each id stands in a row of its own, so that the answer tells them all apart. */
static struct drawn all_ids(void)
{
    struct drawn all = {.count = ROWS_MAX, .ids = IDS_MAX};
    for (size_t i = 0; i < ROWS_MAX; i++) {
        all.rows[i] = (struct drawn_row){{i, i, i, i}, i};
    }
    return all;
}

static void other_names_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct world world;
        open_world(&world, seed);
        for (size_t i = 0; i < ANSWERS; i++) {
            struct drawn before = draw(&world);
            struct drawn after = before;
            bool ordered = rng_below(&world.rng, 3) == 0;
            if (!ordered) {
                shuffle(&world, &after);
            }
            const struct divergence *found = ask(&world, &before, &after, ordered);
            if (found != NULL) {
                fail_msg("seed %d, answer %zu: %s", (int)seed, i,
                         divergence_text(&world.both, found));
            }
        }
        both_close(&world.both);
    }
}

/* Swaps an id of one row with another one of another row. False if the bag stays the same. */
static bool swap_ids(struct world *world, struct drawn *drawn)
{
    size_t k = rng_below(&world->rng, COLUMNS - 1);
    struct drawn_row *row = &drawn->rows[rng_below(&world->rng, drawn->count)];
    struct drawn_row *other = &drawn->rows[rng_below(&world->rng, drawn->count)];
    size_t id = row->ids[k];
    row->ids[k] = other->ids[k];
    other->ids[k] = id;
    bool differ = false; /* in more than that id */
    for (size_t i = 0; i < COLUMNS - 1; i++) {
        differ = differ || (i != k && row->ids[i] != other->ids[i]);
    }
    return row->ids[k] != other->ids[k] && (differ || row->note != other->note);
}

static void swapped_ids_are_found(void **state)
{
    (void)state;
    size_t swaps = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct world world;
        open_world(&world, seed);
        struct drawn all = all_ids();
        assert_null(ask(&world, &all, &all, false));
        struct drawn before = draw(&world);
        before.ids = before.ids < ROWS_MAX ? before.ids : ROWS_MAX;
        for (size_t i = 0; i < before.count; i++) {
            for (size_t k = 0; k < COLUMNS - 1; k++) {
                before.rows[i].ids[k] %= before.ids;
            }
        }
        struct drawn after = before;
        size_t known = pairs_count(world.both.sides.pairs);
        if (swap_ids(&world, &after)) {
            swaps++;
            shuffle(&world, &after);
            const struct divergence *found = ask(&world, &before, &after, false);
            if (found == NULL) {
                fail_msg("seed %d: a swap of %zu rows is not found", (int)seed, before.count);
            }
            assert_int_equal(found->kind, DIVERGES_ROWS);
            assert_in_range(found->difference_count, 1, 4);
            assert_int_equal(pairs_count(world.both.sides.pairs), known);
        }
        both_close(&world.both);
    }
    assert_in_range(swaps, ROUNDS / 2, ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_names_agree),
        cmocka_unit_test(swapped_ids_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
