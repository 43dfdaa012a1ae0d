/* Replays records: unchanged, edited by hand, and edited at random. */
#include "gen/draw.h"
#include "samples.h"
#include "support/drawing.h"
#include "value/number/numeric.h"

#include <math.h>
#include <string.h>

#define I(x) value_int(x)

static bool is_small(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(number_compare(call->args[0], I(500)) < 0);
    return true;
}

enum { SEEDS = 40 };

static void a_record_replays_to_the_same_value_and_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct value strategy = sample(i);
        struct drawer *drawer = test_drawer(i);
        for (int round = 0; round < SEEDS; round++) {
            struct value drawn;
            if (draw_result(drawer, strategy, &drawn) != DRAW_OK) {
                continue;
            }
            struct drawer *again = replay_drawer(drawer->record);
            struct value replayed = draw_ok(again, strategy);
            assert_string_equal(repr(replayed), repr(drawn));
            assert_true(choices_equal(again->record, drawer->record));
        }
    }
}

static void the_same_seed_draws_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct drawer *one = test_drawer(i);
        struct drawer *other = test_drawer(i);
        for (int round = 0; round < SEEDS; round++) {
            struct value a = value_none();
            struct value b = value_none();
            assert_int_equal(draw_result(one, sample(i), &a), draw_result(other, sample(i), &b));
            assert_string_equal(repr(a), repr(b));
            assert_true(choices_equal(one->record, other->record));
        }
    }
}

/* Replaying what a replay recorded changes nothing more: edits settle at once. */
static void assert_settles(struct value strategy, const struct choices *edited)
{
    struct drawer *first = replay_drawer(edited);
    struct error err = {0};
    struct value value;
    enum draw_result result = strategy_draw(first, strategy, 1, &value, &err);
    assert_int_not_equal(result, DRAW_ERROR);
    if (result != DRAW_OK) {
        return;
    }
    struct drawer *second = replay_drawer(first->record);
    assert_string_equal(repr(draw_ok(second, strategy)), repr(value));
    assert_true(choices_equal(first->record, second->record));
}

/* One number in its shortest spelling: with fewer places the other choices mean the same. */
static void fewer_places_keep_the_whole(void **state)
{
    (void)state;
    struct value decimals = strategy("decimals", "min_value", I(0), "max_value", I(10), NULL);
    size_t fractions = 0;
    struct drawer *drawer = test_drawer(1);
    for (int round = 0; round < 200; round++) {
        struct value drawn = draw_ok(drawer, decimals);
        struct choices edited = choices_copy(&test_arena, drawer->record);
        edited.items.items[0].as.integer.value = 0;
        struct value whole;
        assert_true(number_arith(&test_arena, ARITH_FLOORDIV, drawn, I(1), &whole, NULL));
        assert_true(int_from_number(&test_arena, whole, &whole, NULL));
        struct value shorter = draw_ok(replay_drawer(&edited), decimals);
        assert_int_equal(shorter.as.numeric->scale, 0);
        assert_int_equal(number_compare(shorter, whole), 0);
        fractions += drawn.as.numeric->scale > 0;
    }
    assert_true(fractions > 20);
}

static int64_t odd_integer(struct rng *rng)
{
    static const int64_t odd[] = {INT64_MIN, INT64_MAX, -1, 0, 1, 2, 1000000};
    return rng_one_in(rng, 2) ? odd[rng_below(rng, sizeof odd / sizeof *odd)]
                              : (int64_t)rng_next(rng);
}

static void edit_value(struct rng *rng, struct choice *choice)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 1e300, 0.3};
    static const char *const texts[] = {"", "b", "zz%", "\xff\xfe", "\xf0\x9f\x98\x80 long enough"};
    const char *text = texts[rng_below(rng, sizeof texts / sizeof *texts)];
    switch (choice->kind) {
    case CHOICE_INTEGER:
        choice->as.integer.value = odd_integer(rng);
        break;
    case CHOICE_FLOAT:
        choice->as.real.value = odd[rng_below(rng, sizeof odd / sizeof *odd)];
        break;
    case CHOICE_TEXT:
        choice->as.text.value = value_string(&test_arena, text, strlen(text)).as.string;
        break;
    case CHOICE_BYTES:
        choice->as.bytes.value = value_bytes(&test_arena, text, strlen(text)).as.bytes;
        break;
    case CHOICE_REFERENCE:
        choice->as.reference.position = (uint64_t)odd_integer(rng);
        choice->as.reference.step = rng_one_in(rng, 2) ? REFERENCE_BY_POSITION : 3;
        break;
    }
}

/* One edit of the kinds that shrinking, splicing and a damaged file make. */
static void edit(struct rng *rng, struct choices *choices)
{
    size_t count = choices->items.count;
    size_t at = count ? rng_below(rng, count) : 0;
    switch (rng_below(rng, 6)) {
    case 0:
        choices_remove(choices, at, 1 + rng_below(rng, 3));
        break;
    case 1:
        if (count) {
            struct choice copy = choices->items.items[at];
            *VEC_PUSH(&test_arena, &choices->items) = copy;
        }
        break;
    case 2:
        if (count) {
            struct choice *other = &choices->items.items[rng_below(rng, count)];
            struct choice copy = *other;
            *other = choices->items.items[at];
            choices->items.items[at] = copy;
        }
        break;
    case 3:
        if (choices->spans.count) { /* spans that lie */
            struct choice_span *span = &choices->spans.items[rng_below(rng, choices->spans.count)];
            span->start = rng_below(rng, 2 * count + 2);
            span->end = rng_below(rng, 2 * count + 2);
        }
        break;
    default:
        if (count) {
            edit_value(rng, &choices->items.items[at]);
        }
    }
}

static void edited_replays_never_fail(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 99, 0);
    for (size_t i = 0; i < SAMPLES; i++) {
        struct value strategy = sample(i);
        struct drawer *drawer = test_drawer(i);
        for (int round = 0; round < 4 * SEEDS; round++) {
            struct value drawn;
            if (draw_result(drawer, strategy, &drawn) != DRAW_OK) {
                continue;
            }
            struct choices edited = choices_copy(&test_arena, drawer->record);
            for (uint64_t edits = 1 + rng_below(&rng, 4); edits > 0; edits--) {
                edit(&rng, &edited);
            }
            assert_settles(strategy, &edited);
        }
    }
}

/* A replay of one strategy's choices by any other: what splicing of traces amounts to. */
static void replays_of_something_else_never_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct drawer *drawer = test_drawer(i);
        struct value drawn;
        if (draw_result(drawer, sample(i), &drawn) != DRAW_OK) {
            continue;
        }
        for (size_t j = 0; j < SAMPLES; j++) {
            assert_settles(sample(j), drawer->record);
        }
    }
}

/* Removing the span of an item removes exactly that item. */
static void an_item_is_removed_by_its_span(void **state)
{
    (void)state;
    struct value lists = strategy(
        "lists", "",
        strategy("tuples", "", strategy("text", NULL), "", strategy("datetimes", NULL), NULL),
        "min_size", I(1), NULL);
    struct drawer *drawer = test_drawer(7);
    unsigned checked = 0;
    for (int round = 0; round < SEEDS; round++) {
        struct list *list = draw_ok(drawer, lists).as.list;
        size_t item = 0;
        for (size_t s = 0; s < drawer->record->spans.count; s++) {
            struct choice_span span = drawer->record->spans.items[s];
            if (span.kind != SPAN_ITEM) {
                continue;
            }
            struct choices edited = choices_copy(&test_arena, drawer->record);
            choices_remove(&edited, span.start, span.end - span.start);
            struct list *shorter = draw_ok(replay_drawer(&edited), lists).as.list;
            if (list->count > 1) {
                assert_int_equal(shorter->count, list->count - 1);
                for (size_t i = 0; i < shorter->count; i++) {
                    assert_true(value_equal(shorter->items[i], list->items[i < item ? i : i + 1]));
                }
                checked++;
            }
            item++;
        }
        assert_int_equal(item, list->count);
    }
    assert_true(checked > SEEDS);
}

/* Values may be made in an arena that is emptied before the record is. */
static void a_record_lives_in_its_own_arena(void **state)
{
    (void)state;
    static struct arena own;
    struct choices record = {0};
    struct drawer *drawer = test_drawer(5);
    drawer->memory = NULL;
    drawer->arena = &own;
    drawer->record = &record;
    struct value texts = strategy("text", "alphabet", text("xyz"), "min_size", I(9), NULL);
    const char *drawn = arena_strdup(&own, repr(draw_ok(drawer, texts)));
    arena_reset(&test_arena); /* poisoned: a shared pointer would be found */
    struct drawer *again = replay_drawer(&record);
    texts = strategy("text", "alphabet", text("xyz"), "min_size", I(9), NULL);
    assert_repr(draw_ok(again, texts), drawn);
    assert_true(choices_equal(again->record, &record));
    arena_free(&own);
}

static void draw_two(struct drawer *drawer, struct value first, struct value second,
                     struct value out[2])
{
    struct error err = {0};
    drawer_begin(drawer);
    assert_int_equal(strategy_draw(drawer, first, 1, &out[0], &err), DRAW_OK);
    assert_int_equal(strategy_draw(drawer, second, 2, &out[1], &err), DRAW_OK);
}

/* An edit that makes one argument take fewer choices leaves the next one its own. */
static void arguments_keep_their_choices(void **state)
{
    (void)state;
    struct value lists = strategy("lists", "", strategy("integers", NULL), "min_size", I(3), NULL);
    struct value number = strategy("integers", "min_value", I(0), "max_value", I(1000000), NULL);
    struct value drawn[2];
    struct value replayed[2];
    struct drawer *drawer = test_drawer(3);
    draw_two(drawer, lists, number, drawn);
    struct choices edited = choices_copy(&test_arena, drawer->record);
    choices_remove(&edited, 0, 2);
    draw_two(replay_drawer(&edited), lists, number, replayed);
    assert_true(value_equal(replayed[1], drawn[1]));
    /* one that wants more gets none of it, either */
    draw_two(replay_drawer(drawer->record),
             strategy("lists", "", strategy("integers", NULL), "min_size", I(30), "max_size", I(30),
                      NULL),
             number, replayed);
    assert_int_equal(replayed[0].as.list->count, 30);
    assert_true(value_equal(replayed[1], drawn[1]));
    /* without spans they are read in a row */
    edited = choices_copy(&test_arena, drawer->record);
    edited.spans.count = 0;
    draw_two(replay_drawer(&edited), lists, number, replayed);
    assert_true(value_equal(replayed[0], drawn[0]) && value_equal(replayed[1], drawn[1]));
}

static void what_a_replay_lacks_is_fresh_where_there_is_randomness(void **state)
{
    (void)state;
    struct value number = strategy("integers", NULL);
    struct choices nothing = {0};
    bool differs = false;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct drawer *drawer = test_drawer(seed);
        drawer->replay = &nothing;
        differs |= draw_ok(drawer, number).as.integer != 0;
        drawer->simplest = true;
        assert_int_equal(draw_ok(drawer, number).as.integer, 0);
    }
    assert_true(differs);
}

static void drawing_again_leaves_the_replay_alone(void **state)
{
    (void)state;
    struct value number = strategy("integers", "min_value", I(0), "max_value", I(100), NULL);
    struct drawer *drawer = test_drawer(1);
    draw_ok(drawer, number);
    struct drawer *again = replay_drawer(drawer->record);
    struct error err = {0};
    struct value out;
    for (unsigned attempt = 1; attempt < 4; attempt++) {
        drawer_begin_again(again, attempt);
        assert_int_equal(strategy_draw(again, number, 1, &out, &err), DRAW_OK);
        assert_int_equal(out.as.integer, attempt);
        assert_int_equal(again->record->items.count, 1);
    }
}

/* The record of a filtered draw holds the try that passed, and no other. */
static void a_filter_records_one_try(void **state)
{
    (void)state;
    struct value small = method(strategy("integers", "min_value", I(0), "max_value", I(1000), NULL),
                                "filter", function(is_small));
    struct drawer *drawer = test_drawer(2);
    for (int round = 0; round < SEEDS; round++) {
        struct value drawn;
        if (draw_result(drawer, small, &drawn) == DRAW_OK) {
            assert_int_equal(drawer->record->items.count, 1);
            assert_int_equal(drawer->record->items.items[0].as.integer.value, drawn.as.integer);
        }
    }
    /* a replayed value that it refuses is replaced by the simplest that passes */
    struct choices edited = choices_copy(&test_arena, drawer->record);
    edited.items.items[0].as.integer.value = 900;
    assert_int_equal(draw_ok(replay_drawer(&edited), small).as.integer, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(fewer_places_keep_the_whole, drawing_clear),
        cmocka_unit_test_teardown(a_record_replays_to_the_same_value_and_record, drawing_clear),
        cmocka_unit_test_teardown(the_same_seed_draws_the_same, drawing_clear),
        cmocka_unit_test_teardown(edited_replays_never_fail, drawing_clear),
        cmocka_unit_test_teardown(replays_of_something_else_never_fail, drawing_clear),
        cmocka_unit_test_teardown(an_item_is_removed_by_its_span, drawing_clear),
        cmocka_unit_test_teardown(a_record_lives_in_its_own_arena, drawing_clear),
        cmocka_unit_test_teardown(arguments_keep_their_choices, drawing_clear),
        cmocka_unit_test_teardown(what_a_replay_lacks_is_fresh_where_there_is_randomness,
                                  drawing_clear),
        cmocka_unit_test_teardown(drawing_again_leaves_the_replay_alone, drawing_clear),
        cmocka_unit_test_teardown(a_filter_records_one_try, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
