/* Looking: an expression that must not change existing values, with a separate arena. */
#include "harness.h"

#include <string.h>

static struct arena scratch;

static int setup(void **state)
{
    static struct harness harness;
    harness_begin(&harness, NULL, NULL);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    arena_free(&scratch);
    return 0;
}

/* A model with one of each, and functions over it. */
static const char model[] = "numbers = [1, 2]\n"
                            "names = {\"a\": [1]}\n"
                            "seen = set([1])\n"
                            "def add(n):\n"
                            "    numbers.append(n)\n"
                            "def doubled(xs):\n"
                            "    out = []\n"
                            "    for x in xs:\n"
                            "        out.append(2 * x)\n"
                            "    out[0] += 1\n"
                            "    return out\n";

static void compile_model(struct harness *harness, const char *text, struct lang_code **top,
                          struct lang_code **code)
{
    *top = harness_compile(harness, LANG_TOP, model);
    *code = harness_compile(harness, LANG_EXPRESSION, text);
    harness_start(harness);
    harness_run(harness, *top, NULL);
}

static bool look(struct harness *harness, const struct lang_code *code, struct value *out)
{
    return lang_look(&harness->state, code, NULL, &scratch, out, &harness->err);
}

static void what_it_makes_is_its_own(void **state)
{
    static const struct {
        const char *text;
        const char *value;
    } cases[] = {
        {"numbers", "[1, 2]"},
        {"doubled(numbers)", "[3, 4]"},
        {"sorted(numbers, reverse=True)", "[2, 1]"},
        {"{k: v + [2] for k, v in names.items()}", "{\"a\": [1, 2]}"},
        {"seen | set([2])", "set([1, 2])"},
        {"[f(1) for f in [lambda x: x + len(numbers)]]", "[3]"},
        {"\"%d\" % len(numbers) * 3", "\"222\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct harness *harness = *state;
        struct lang_code *top;
        struct lang_code *code;
        struct value value;
        compile_model(harness, cases[i].text, &top, &code);
        size_t before = arena_used(&harness->example);
        assert_true(look(harness, code, &value));
        assert_repr(value, cases[i].value);
        assert_int_equal(arena_used(&harness->example), before);
        arena_reset(&scratch); /* nothing of it is kept */
        harness_gives(harness, harness_compile(harness, LANG_EXPRESSION, "(numbers, names)"), NULL,
                      "([1, 2], {\"a\": [1]})");
        harness_end(harness);
        harness_begin(harness, NULL, NULL);
    }
}

static void what_there_was_stays(void **state)
{
    static const char *const texts[] = {
        "numbers.append(3)",        "numbers.pop()",        "add(3)",
        "names.pop(\"a\")",         "names[\"a\"].clear()", "names.setdefault(\"b\", 1)",
        "names.update({\"b\": 1})", "seen.add(2)",          "seen.remove(1)",
        "[add(n) for n in [1]]",    "numbers.extend([])",   "names.popitem()",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct harness *harness = *state;
        struct lang_code *top;
        struct lang_code *code;
        struct value value;
        compile_model(harness, texts[i], &top, &code);
        if (look(harness, code, &value)) {
            fail_msg("%s", texts[i]);
        }
        assert_int_equal(harness->err.code, ERROR_MACHINE);
        assert_non_null(strstr(harness->err.message, "of the model can't be changed here"));
        assert_non_null(harness->err.pos.source);
        harness_run(harness, code, NULL); /* where it is not looked at it may */
        harness_end(harness);
        harness_begin(harness, NULL, NULL);
    }
}

/* The limits of an example count on, wherever its values are. */
static void limits_hold(void **state)
{
    struct harness *harness = *state;
    struct lang_code *top;
    struct lang_code *code;
    struct value value;
    compile_model(harness, "len([0] * 20000)", &top, &code);
    harness->state.limits.bytes = 1 << 20;
    (void)arena_alloc(&scratch, 4 << 20); /* what others have there is no matter */
    assert_true(look(harness, code, &value));
    (void)arena_alloc(&harness->example, (1 << 20) - 100000);
    assert_false(look(harness, code, &value));
    assert_int_equal(harness->err.code, ERROR_LIMIT);
    arena_reset(&scratch);
    harness->state.limits.bytes = 4 << 20;
    for (int i = 0; i < 20; i++) {
        assert_true(look(harness, code, &value));
        arena_reset(&scratch);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_it_makes_is_its_own),
        TEST(what_there_was_stays),
        TEST(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
