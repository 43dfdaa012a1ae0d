/* Steps of pinned examples. */
#include "harness.h"

#include <string.h>

static int setup(void **state)
{
    static struct harness harness;
    harness_begin(&harness, NULL, NULL);
    (void)lang_module_global(harness.module, "projects", LANG_FIXED);
    (void)lang_module_global(harness.module, "owner", LANG_VARIABLE);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    return 0;
}

static bool compile(struct harness *harness, const char *text, struct lang_calls *calls)
{
    struct source *source = ARENA_NEW(&harness->machine, struct source);
    struct snippet *snippet = ARENA_NEW(&harness->machine, struct snippet);
    *source = (struct source){
        .name = "test", .text = arena_strdup(&harness->machine, text), .size = strlen(text)};
    *snippet = snippet_of_source(source);
    return lang_compile_calls(harness->module, &harness->machine, &harness->locals, snippet, calls,
                              &harness->err);
}

static void calls_with_arguments(void **state)
{
    struct harness *harness = *state;
    struct lang_calls calls;
    size_t slot;
    assert_true(compile(harness,
                        "# from a report\n"
                        "made = create(1 + 1, name=\"x\")\n"
                        "upsert_member(project=projects_1, role=\"editor\", by=made)\n"
                        "tick()\n",
                        &calls));
    assert_int_equal(calls.calls.count, 3);
    const struct lang_call *first = &calls.calls.items[0];
    assert_string_equal(first->assigned, "made");
    assert_string_equal(first->function, "create");
    assert_int_equal(first->args.count, 2);
    assert_null(first->args.items[0].name);
    assert_string_equal(first->args.items[1].name, "name");
    assert_int_equal(source_place(first->pos).line, 2);
    assert_int_equal(source_place(first->pos).column, 8);
    const struct lang_call *second = &calls.calls.items[1];
    assert_null(second->assigned);
    assert_int_equal(second->args.count, 3);
    assert_int_equal(calls.calls.items[2].args.count, 0);
    assert_true(lang_locals_find(&harness->locals, "made", &slot));
    assert_int_equal(slot, 0);
    assert_true(lang_locals_find(&harness->locals, "projects_1", &slot));
    assert_int_equal(slot, 1);
    harness_start(harness);
    struct value locals[2] = {value_int(7), value_int(8)};
    harness_gives(harness, first->args.items[0].code, locals, "2");
    harness_gives(harness, second->args.items[0].code, locals, "8");
    harness_gives(harness, second->args.items[2].code, locals, "7");
}

static void bundle_values_inside_expressions(void **state)
{
    struct harness *harness = *state;
    struct lang_calls calls;
    assert_true(
        compile(harness, "f(x=[projects_2 for i in range(2)], y=(lambda: projects_10)())", &calls));
    assert_int_equal(harness->locals.names.count, 2);
    harness_start(harness);
    struct value locals[2] = {value_int(5), value_int(6)};
    harness_gives(harness, calls.calls.items[0].args.items[0].code, locals, "[5, 5]");
    harness_gives(harness, calls.calls.items[0].args.items[1].code, locals, "6");
}

static void refuses(struct harness *harness, const char *text, const char *message)
{
    struct lang_calls calls;
    assert_false(compile(harness, text, &calls));
    assert_string_equal(harness->err.message, message);
}

static void what_is_no_step(void **state)
{
    struct harness *harness = *state;
    static const char *const others[] = {
        "1",        "x = 1", "if 1: f()",  "for x in []: f()", "a.b()", "a, b = f()",
        "x += f()", "f()()", "d[0] = f()", "def f(): pass",    "pass",  "f() + 1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        refuses(harness, others[i], "this is no step");
        assert_string_equal(harness->err.hint, "a step is written rule(argument=value), or name = "
                                               "rule(argument=value)");
    }
    refuses(harness, "f(*[1])", "a step's arguments are written out, without *");
    refuses(harness, "f(**{})", "a step's arguments are written out, without *");
    refuses(harness, "f(", "'(' is never closed");
}

static void unknown_names(void **state)
{
    struct harness *harness = *state;
    refuses(harness, "f(x=members_1)", "unknown name 'members_1'");
    refuses(harness, "f(x=owner_1)", "unknown name 'owner_1', did you mean 'owner'?");
    refuses(harness, "f(x=projects_)", "unknown name 'projects_', did you mean 'projects'?");
    refuses(harness, "f(x=later)\nlater = g()", "unknown name 'later'");
}

static void nothing(void **state)
{
    struct lang_calls calls;
    assert_true(compile(*state, "\n# nothing\n", &calls));
    assert_int_equal(calls.calls.count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(calls_with_arguments),
        TEST(bundle_values_inside_expressions),
        TEST(what_is_no_step),
        TEST(unknown_names),
        TEST(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
