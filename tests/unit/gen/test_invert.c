/* Inverting is the inverse of drawing: the choices that it finds draw the wanted value. */
#include "samples.h"
#include "support/drawing.h"
#include "value/number/numeric.h"

#include <string.h>

#define I(x) value_int(x)

enum { SEEDS = 60 };

/* Gives the value; DRAW_OK with the choices in the drawer's record. */
static enum draw_result invert(struct drawer **drawer, struct value strategy, struct value wanted,
                               struct inverted *out)
{
    struct error err = {0};
    *drawer = replay_drawer(NULL);
    enum draw_result result = strategy_invert(*drawer, strategy, 1, wanted, out, &err);
    if (result == DRAW_ERROR) {
        fail_msg("%s", err.message);
    }
    return result;
}

static struct value numeric(const char *text)
{
    struct value out;
    assert_true(numeric_from_text(&test_arena, text, strlen(text), &out, NULL));
    return out;
}

/* Inverts the value, and checks that the choices draw `drawn`. */
static void assert_inverts_as(struct value strategy, struct value wanted, const char *drawn)
{
    struct drawer *drawer;
    struct inverted inverted;
    assert_int_equal(invert(&drawer, strategy, wanted, &inverted), DRAW_OK);
    assert_false(inverted.on_trust);
    assert_repr(inverted.value, drawn);
    struct drawer *again = replay_drawer(drawer->record);
    assert_repr(draw_ok(again, strategy), drawn);
    assert_true(choices_equal(again->record, drawer->record));
}

static void assert_inverts(struct value strategy, struct value wanted)
{
    assert_inverts_as(strategy, wanted, repr(wanted));
}

static void assert_refuses(struct value strategy, struct value wanted)
{
    struct drawer *drawer;
    struct inverted inverted;
    assert_int_equal(invert(&drawer, strategy, wanted, &inverted), DRAW_REJECTED);
}

/* Results of the model's functions can't always be inverted. */
static bool may_be_on_trust(size_t sample) { return sample == 2 || sample == 23 || sample == 24; }

static void whatever_is_drawn_can_be_inverted(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        struct value strategy = sample(i);
        struct drawer *drawer = test_drawer(i + 1);
        for (int round = 0; round < SEEDS; round++) {
            struct value drawn;
            struct drawer *inverting;
            struct inverted inverted;
            if (draw_result(drawer, strategy, &drawn) != DRAW_OK) {
                continue;
            }
            assert_int_equal(invert(&inverting, strategy, drawn, &inverted), DRAW_OK);
            assert_string_equal(repr(inverted.value), repr(drawn));
            if (inverted.on_trust) {
                assert_true(may_be_on_trust(i));
                assert_int_equal(inverting->record->items.count, 0);
                assert_int_equal(inverting->record->spans.count, 1);
                continue;
            }
            struct drawer *again = replay_drawer(inverting->record);
            assert_string_equal(repr(draw_ok(again, strategy)), repr(drawn));
            assert_true(choices_equal(again->record, inverting->record));
        }
    }
}

static void what_a_strategy_never_draws_is_refused(void **state)
{
    (void)state;
    struct value small = strategy("integers", "min_value", I(0), "max_value", I(9), NULL);
    struct value short_list = strategy("lists", "", small, "max_size", I(2), "unique",
                                       value_bool(true), "min_size", I(1), NULL);
    struct value vowels = strategy("text", "alphabet", text("aeiou"), "max_size", I(3), NULL);
    struct value cents =
        strategy("decimals", "min_value", I(0), "max_value", I(10), "places", I(2), NULL);
    struct value version = strategy("uuids", "version", I(4), NULL);
    assert_refuses(small, I(10));
    assert_refuses(small, I(-1));
    assert_refuses(small, value_bool(true));
    assert_refuses(small, text("1"));
    assert_refuses(strategy("booleans", NULL), I(1));
    assert_refuses(short_list, int_list(0, NULL));
    assert_refuses(short_list, int_list(2, (int64_t[]){3, 3}));
    assert_refuses(short_list, int_list(3, (int64_t[]){1, 2, 3}));
    assert_refuses(short_list, int_list(1, (int64_t[]){10}));
    assert_refuses(short_list, I(1));
    assert_refuses(vowels, text("b"));
    assert_refuses(vowels, text("aaaa"));
    assert_refuses(vowels, value_none());
    assert_refuses(cents, numeric("0.001"));
    assert_refuses(cents, numeric("10.01"));
    assert_refuses(strategy("decimals", NULL), numeric("NaN"));
    assert_refuses(strategy("floats", "max_value", I(1), NULL), value_float(1.5));
    assert_refuses(strategy("floats", "width", I(32), NULL), value_float(0.1));
    assert_refuses(strategy("dates", "min_value", text("2020-01-01"), NULL), text("2019-12-31"));
    assert_refuses(strategy("dates", NULL), text("2019-02-29"));
    assert_refuses(strategy("timedeltas", NULL), text("1 mon"));
    assert_refuses(strategy("timedeltas", "max_value", text("1 h"), NULL), text("01:00:01"));
    assert_refuses(strategy("json_values", NULL), value_none());
    assert_refuses(strategy("json_values", "max_depth", I(0), NULL), int_list(0, NULL));
    assert_refuses(version, text("00000000-0000-0000-0000-000000000001"));
    assert_refuses(strategy("just", "", I(1), NULL), I(2));
    assert_refuses(strategy("none", NULL), I(2));
    assert_refuses(strategy("sampled_from", "", int_list(2, (int64_t[]){1, 2}), NULL), I(3));
    assert_refuses(strategy("tuples", "", small, "", small, NULL), int_list(2, (int64_t[]){1, 2}));
    assert_refuses(strategy("one_of", "", small, "", vowels, NULL), text("x"));
}

static void values_may_be_written_in_other_ways(void **state)
{
    (void)state;
    struct value cents = strategy("decimals", "places", I(2), NULL);
    assert_inverts_as(cents, I(5), "5.00");
    assert_inverts_as(cents, numeric("0.5"), "0.50");
    assert_inverts_as(cents, numeric("0.500"), "0.50");
    assert_inverts_as(strategy("floats", NULL), numeric("0.1"), "float(\"0.1\")");
    assert_inverts_as(strategy("floats", NULL), I(3), "float(\"3\")");
    assert_inverts_as(strategy("times", NULL), text("12:30"), "\"12:30:00\"");
    assert_inverts_as(strategy("timedeltas", NULL), text("90 min"), "\"01:30:00\"");
}

static void the_item_that_is_written_alike_is_taken(void **state)
{
    (void)state;
    struct value items = value_list(&test_arena);
    list_append(items.as.list, I(1));
    list_append(items.as.list, numeric("1.0"));
    list_append(items.as.list, numeric("1.00"));
    struct value from = strategy("sampled_from", "", items, NULL);
    assert_inverts(from, I(1));
    assert_inverts(from, numeric("1.0"));
    assert_inverts(from, numeric("1.00"));
    assert_inverts_as(from, numeric("1.000"), "1");
    assert_inverts(bundle_of(items.as.list), numeric("1.00"));
    assert_inverts(items, numeric("1.0"));
}

static bool doubled(const struct native_call *call, struct value *out, struct error *err)
{
    return number_arith(call->caller->arena, ARITH_ADD, call->args[0], call->args[0], out, err);
}

static bool is_small(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(number_compare(call->args[0], I(500)) < 0);
    return true;
}

static void functions_are_undone_where_they_can_be(void **state)
{
    (void)state;
    struct value numbers = strategy("integers", "min_value", I(0), "max_value", I(1000), NULL);
    struct value ten = bundle_of(int_list(3, (int64_t[]){5, 100, -1}).as.list);
    struct value twice = method(numbers, "map", function(doubled));
    struct drawer *drawer;
    struct inverted inverted;
    /* items are tried out in full, of the rest the simplest */
    assert_inverts(method(ten, "map", function(doubled)), I(200));
    assert_refuses(method(ten, "map", function(doubled)), I(201));
    assert_inverts(twice, I(246));
    assert_inverts(method(twice, "filter", function(is_small)), I(246));
    assert_inverts(strategy("lists", "", twice, NULL), int_list(3, (int64_t[]){2, 0, 8}));
    /* a filter has its say over what is taken on trust, too */
    assert_int_equal(invert(&drawer, twice, I(1998), &inverted), DRAW_OK);
    assert_true(inverted.on_trust);
    assert_repr(inverted.value, "1998");
    assert_refuses(method(twice, "filter", function(is_small)), I(1998));
    assert_refuses(method(numbers, "filter", function(is_small)), I(500));
    assert_inverts(method(numbers, "filter", function(is_small)), I(499));
    /* an alternative that can be told is better */
    assert_inverts(strategy("one_of", "", twice, "", strategy("just", "", I(1999), NULL), NULL),
                   I(1999));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(whatever_is_drawn_can_be_inverted, drawing_clear),
        cmocka_unit_test_teardown(what_a_strategy_never_draws_is_refused, drawing_clear),
        cmocka_unit_test_teardown(values_may_be_written_in_other_ways, drawing_clear),
        cmocka_unit_test_teardown(the_item_that_is_written_alike_is_taken, drawing_clear),
        cmocka_unit_test_teardown(functions_are_undone_where_they_can_be, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
