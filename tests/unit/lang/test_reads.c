/* The names that code reads and assigns, known before it runs. */
#include "harness.h"

static int setup(void **state)
{
    static struct harness harness;
    harness_begin(&harness, NULL, NULL);
    (void)lang_module_global(harness.module, "users", LANG_FIXED);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    return 0;
}

static bool reads(struct harness *harness, const struct lang_code *code, const char *name)
{
    size_t slot = 0;
    assert_true(lang_module_find_global(harness->module, name, &slot));
    return lang_reads_global(code, slot);
}

static struct lang_code *expression(struct harness *harness, const char *text)
{
    return harness_compile(harness, LANG_EXPRESSION, text);
}

static void by_name(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP, "members = {}\nroles = {}\nn = 0");
    struct lang_code *code = expression(harness, "[x for x in members if x in users]");
    assert_true(reads(harness, code, "members"));
    assert_true(reads(harness, code, "users"));
    assert_false(reads(harness, code, "roles"));
    assert_true(lang_reads_any_global(code));
    assert_false(lang_reads_any_global(expression(harness, "len([1])")));
}

static void what_statements_read(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP, "members = {}\nroles = {}\nn = 0\nm = 0");
    struct lang_code *code =
        harness_compile(harness, LANG_STEP, "members[1] = roles\nn += 1\nm, k = 1, 2");
    assert_true(reads(harness, code, "members"));
    assert_true(reads(harness, code, "roles"));
    assert_true(reads(harness, code, "n"));
    assert_false(reads(harness, code, "m"));
}

static void through_functions(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP,
                          "members = {}\nroles = {}\n"
                          "def inner(p): return members.get(p)\n"
                          "def outer(p): return inner(p)\n"
                          "short = lambda p: outer(p)\n"
                          "def pure(p): return p + 1");
    assert_true(reads(harness, expression(harness, "outer(1)"), "members"));
    assert_true(reads(harness, expression(harness, "outer(1)"), "inner"));
    assert_false(reads(harness, expression(harness, "outer(1)"), "roles"));
    assert_true(reads(harness, expression(harness, "short(1)"), "members"));
    assert_true(reads(harness, expression(harness, "map(short, [1])"), "members"));
    assert_false(reads(harness, expression(harness, "pure(1)"), "members"));
    assert_false(lang_reads_any_global(expression(harness, "pure(1)")));
    assert_true(lang_reads_any_global(expression(harness, "outer(1)")));
}

static void through_functions_compiled_later(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code;
    (void)harness_compile(harness, LANG_TOP, "def f(): return 0");
    code = expression(harness, "f()");
    assert_false(lang_reads_any_global(code));
    (void)harness_compile(harness, LANG_TOP, "members = {}\ndef f(): return members");
    assert_true(reads(harness, code, "members"));
}

static void lambdas_inside(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP, "members = {}\nroles = {}\nn = 0");
    (void)lang_locals_add(&harness->locals, &harness->machine, "project");
    struct lang_code *code =
        expression(harness, "sorted([1], key=lambda x: [members[y] for y in [x + project]])");
    assert_true(reads(harness, code, "members"));
    assert_true(lang_reads_local(code, 0));
    assert_false(reads(harness, code, "roles"));
}

static void functions_in_data(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP,
                          "members = {}\nroles = {}\nhandlers = {}\n"
                          "def f(): return members\n"
                          "handlers[\"f\"] = f\n"
                          "handlers[\"g\"] = lambda: roles");
    /* whoever reads data may call what is kept in them */
    assert_true(reads(harness, expression(harness, "handlers[\"f\"]()"), "members"));
    assert_true(reads(harness, expression(harness, "handlers[\"g\"]()"), "roles"));
    assert_false(reads(harness, expression(harness, "1 + 2"), "members"));
}

static void functions_passed_to_builtins_are_not_kept(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP,
                          "members = {}\nroles = {}\n"
                          "order = sorted([], key=lambda x: members[x])\n"
                          "def by(x): return members[x]\n"
                          "best = max([1], key=by, default=0) if roles else 0");
    assert_false(reads(harness, expression(harness, "roles"), "members"));
    /* nor where an expression makes a strategy or the like of them */
    (void)expression(harness, "list(lambda: members)");
    assert_false(reads(harness, expression(harness, "roles"), "members"));
    (void)harness_compile(harness, LANG_STEP, "roles.update([(1, lambda: members)])");
    assert_true(reads(harness, expression(harness, "roles"), "members"));
}

static void functions_given_back_by_functions(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP,
                          "members = {}\n"
                          "def make():\n"
                          "    def inner(): return members\n"
                          "    return inner\n"
                          "made = make()");
    assert_true(reads(harness, expression(harness, "made()"), "members"));
}

static void locals(void **state)
{
    struct harness *harness = *state;
    (void)lang_locals_add(&harness->locals, &harness->machine, "a");
    (void)lang_locals_add(&harness->locals, &harness->machine, "b");
    (void)lang_locals_add(&harness->locals, &harness->machine, "result");
    struct lang_code *code = harness_compile(harness, LANG_STEP, "b = 1\nc = result + 1");
    assert_false(lang_reads_local(code, 0));
    assert_false(lang_reads_local(code, 1));
    assert_true(lang_reads_local(code, 2));
    /* the name of another thing is none */
    code = expression(harness, "{\"result\": 1}.get(\"result\", [result for result in [a]])");
    assert_true(lang_reads_local(code, 0));
    assert_false(lang_reads_local(code, 2));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(by_name),
        TEST(what_statements_read),
        TEST(through_functions),
        TEST(through_functions_compiled_later),
        TEST(lambdas_inside),
        TEST(functions_in_data),
        TEST(functions_passed_to_builtins_are_not_kept),
        TEST(functions_given_back_by_functions),
        TEST(locals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
