/* Modules, modes and names before anything runs. */
#include "harness.h"

#include <string.h>

static int setup(void **state)
{
    static struct harness harness;
    static const struct named_value constants[] = {
        {"answer", {.type = VALUE_INT, .as.integer = 42}}, {0}};
    harness_begin(&harness, NULL, constants);
    (void)lang_module_global(harness.module, "users", LANG_FIXED);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    return 0;
}

static void globals(void **state)
{
    struct harness *harness = *state;
    size_t slot;
    (void)harness_compile(harness, LANG_TOP, "members = {}\nfor i in []: n = 1\ndef f(): pass");
    assert_true(lang_module_find_global(harness->module, "members", &slot));
    assert_string_equal(lang_module_global_name(harness->module, slot), "members");
    assert_int_equal(lang_module_global_kind(harness->module, slot), LANG_VARIABLE);
    assert_true(lang_module_find_global(harness->module, "i", &slot));
    assert_true(lang_module_find_global(harness->module, "n", &slot));
    assert_true(lang_module_find_global(harness->module, "f", &slot));
    assert_false(lang_module_find_global(harness->module, "nope", &slot));
    assert_int_equal(lang_module_global_count(harness->module), 5);
    assert_int_equal(lang_module_global(harness->module, "f", LANG_VARIABLE), slot);
    assert_int_equal(lang_module_global_count(harness->module), 5);
}

static void builtins(void **state)
{
    struct harness *harness = *state;
    assert_true(lang_module_is_builtin(harness->module, "len"));
    assert_true(lang_module_is_builtin(harness->module, "json"));
    assert_true(lang_module_is_builtin(harness->module, "answer"));
    assert_false(lang_module_is_builtin(harness->module, "users"));
}

static void names(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "_", "a1", "größe", "名前", "Nones"};
    static const char *const bad[] = {"",   "1a",   "a b",  "a-b",   "if",   "while", "as",
                                      "é ", "None", "True", "False", "\xff", "a.b",   "is"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(lang_is_name(good[i], strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(lang_is_name(bad[i], strlen(bad[i])));
    }
    assert_true(lang_is_name("abc def", 3)); /* the size counts */
}

static void a_bundle_cannot_be_assigned(void **state)
{
    struct harness *harness = *state;
    harness_refuses(harness, LANG_TOP, "x = 1\nusers = []", 2, 1,
                    "'users' is a bundle and can't be assigned");
    harness_refuses(harness, LANG_STEP, "for users in []: pass", 1, 5,
                    "'users' is a bundle and can't be assigned");
    harness_refuses(harness, LANG_TOP, "def f():\n    users = []", 2, 5,
                    "function 'f' can't assign 'users', a variable of the model");
}

static void a_step_makes_locals(void **state)
{
    struct harness *harness = *state;
    size_t slot;
    (void)harness_compile(harness, LANG_TOP, "members = {}");
    (void)lang_locals_add(&harness->locals, &harness->machine, "project");
    (void)harness_compile(harness, LANG_STEP, "members = {1: 2}\nold = 5\nproject = 3");
    assert_int_equal(harness->locals.names.count, 2);
    assert_true(lang_locals_find(&harness->locals, "old", &slot));
    assert_int_equal(slot, 1);
    assert_false(lang_module_find_global(harness->module, "old", &slot));
    /* what a step made is known to the next code of the step */
    (void)harness_compile(harness, LANG_EXPRESSION, "old + project");
}

static void a_local_hides_a_global_and_a_builtin(void **state)
{
    struct harness *harness = *state;
    (void)harness_compile(harness, LANG_TOP, "x = 1");
    (void)lang_locals_add(&harness->locals, &harness->machine, "x");
    (void)lang_locals_add(&harness->locals, &harness->machine, "len");
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "(x, len)");
    harness_start(harness);
    struct value locals[2] = {value_int(5), value_int(6)};
    harness_gives(harness, code, locals, "(5, 6)");
    assert_true(lang_reads_local(code, 0));
    assert_false(lang_reads_any_global(code));
}

static void top_code_may_assign_a_local(void **state)
{
    struct harness *harness = *state;
    size_t slot;
    (void)lang_locals_add(&harness->locals, &harness->machine, "x");
    (void)harness_compile(harness, LANG_TOP, "x = 1\ny = x");
    assert_false(lang_module_find_global(harness->module, "x", &slot));
    assert_true(lang_module_find_global(harness->module, "y", &slot));
}

static void declaring_lets_earlier_code_read_later_names(void **state)
{
    struct harness *harness = *state;
    static const struct source later = {.name = "test", .text = "user = 1", .size = 8};
    static const struct source broken = {.name = "test", .text = "user = ", .size = 7};
    struct snippet snippet = snippet_of_source(&later);
    struct snippet wrong = snippet_of_source(&broken);
    harness_refuses(harness, LANG_TOP, "def f(): return user", 1, 17,
                    "unknown name 'user', did you mean 'users'?");
    lang_declare(harness->module, &harness->machine, NULL, &wrong);
    lang_declare(harness->module, &harness->machine, NULL, &snippet);
    (void)harness_compile(harness, LANG_TOP, "def f(): return user");
}

static void sole_names_and_calls(void **state)
{
    struct harness *harness = *state;
    static const char *const others[] = {"users[0]",  "zip(users, 1)", "list(*users)",
                                         "dict(x=1)", "list([1])",     "users.x(users)",
                                         "1"};
    struct lang_code *name = harness_compile(harness, LANG_EXPRESSION, " (users) ");
    assert_string_equal(lang_sole_name(name), "users");
    assert_null(lang_sole_call(name, "list"));
    struct lang_code *call = harness_compile(harness, LANG_EXPRESSION, "list(users)");
    assert_null(lang_sole_name(call));
    assert_string_equal(lang_sole_call(call, "list"), "users");
    assert_null(lang_sole_call(call, "set"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct lang_code *other = harness_compile(harness, LANG_EXPRESSION, others[i]);
        assert_null(lang_sole_name(other));
        assert_null(lang_sole_call(other, "list"));
    }
    assert_string_equal(lang_sole_name(harness_compile(harness, LANG_STEP, "users\n")), "users");
}

static void constant_texts(void **state)
{
    struct harness *harness = *state;
    static const char *const others[] = {"[\"viewer\"]", "b'no'", "1", "None", "'a' + 'b'"};
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "'viewer'");
    assert_string_equal(lang_constant_text(code), "viewer");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_null(lang_constant_text(harness_compile(harness, LANG_EXPRESSION, others[i])));
    }
}

static void the_snippet_is_the_codes(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "1 + 2");
    assert_int_equal(lang_snippet(code)->size, 5);
    assert_memory_equal(lang_snippet(code)->text, "1 + 2", 5);
}

/* A snippet in the middle of a file, as of a YAML value, without a NUL behind it. */
static void a_slice_of_a_file(void **state)
{
    struct harness *harness = *state;
    static const struct source file = {
        .name = "a.yaml", .text = "rule:\n  expect: 1 + x2345\n  next: 7\n", .size = 35};
    struct snippet whole = snippet_of_source(&file);
    struct snippet snippet = snippet_slice(&whole, 16, 25);
    struct lang_code *code;
    assert_false(lang_compile(harness->module, &harness->machine, NULL, LANG_EXPRESSION, &snippet,
                              &code, &harness->err));
    assert_string_equal(harness->err.message, "unknown name 'x2345'");
    struct source_place place = source_place(harness->err.pos);
    assert_int_equal(place.line, 2);
    assert_int_equal(place.column, 15);
    snippet = snippet_slice(&whole, 16, 17);
    assert_true(lang_compile(harness->module, &harness->machine, NULL, LANG_EXPRESSION, &snippet,
                             &code, &harness->err));
}

static void hostile_text(void **state)
{
    struct harness *harness = *state;
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } cases[] = {
        {"1 + \xff", 5, "a byte here is not valid UTF-8"},
        {"1\0", 2, "a NUL byte in the text"},
        {"\xed\xa0\x80", 3, "a byte here is not valid UTF-8"},
        {"\"\xc3", 2, "a byte here is not valid UTF-8"},
        {"\x01", 1, "unexpected control character U+0001"},
        {"0", 1, NULL},
        {"\xef\xbb\xbf"
         "1",
         4, NULL},
        {"\r\n 1 +\r\n2\r\n", 11, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source *source = ARENA_NEW(&harness->machine, struct source);
        struct snippet *snippet = ARENA_NEW(&harness->machine, struct snippet);
        struct lang_code *code;
        /* exactly as large as the text, so that reading behind it is found */
        *source =
            (struct source){.name = "test",
                            .text = arena_memdup(&harness->machine, cases[i].text, cases[i].size),
                            .size = cases[i].size};
        *snippet = snippet_of_source(source);
        bool ok = lang_compile(harness->module, &harness->machine, NULL, LANG_EXPRESSION, snippet,
                               &code, &harness->err);
        assert_int_equal(ok, cases[i].message == NULL);
        if (!ok) {
            assert_string_equal(harness->err.message, cases[i].message);
        }
    }
}

static void line_ends_of_windows(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code =
        harness_compile(harness, LANG_TOP, "if True:\r\n  x = \"\"\"a\r\nb\"\"\"\r\n\r\nx\r\n");
    harness_start(harness);
    harness_gives(harness, code, NULL, "\"a\\nb\"");
}

/* A text of `count` times `unit`, with `before` and `after`. */
static const char *repeated(struct arena *arena, const char *before, const char *unit, size_t count,
                            const char *after)
{
    struct strbuf text = {0};
    strbuf_adds(&text, before);
    for (size_t i = 0; i < count; i++) {
        strbuf_adds(&text, unit);
    }
    strbuf_adds(&text, after);
    const char *copy = strbuf_copy(&text, arena);
    strbuf_free(&text);
    return copy;
}

static void deep_text_is_refused(void **state)
{
    struct harness *harness = *state;
    static const char *const units[] = {"(",           "[",    "{",    "-",        "not ",
                                        "~",           "f(",   "[0][", "lambda: ", "1 if 1 else ",
                                        "{1: ",        "f(x=", "f(*",  "(-",       "x if (",
                                        "[1 for a in "};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        struct lang_code *code;
        const char *text = repeated(&harness->machine, "f = 1; x = 1; y = ", units[i], 100000, "1");
        assert_false(harness_try(harness, LANG_TOP, text, &code));
        assert_string_equal(harness->err.message, "nested deeper than 200");
    }
    static const char *const suffixes[] = {".x", "()", "[0]"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct lang_code *code;
        const char *text = repeated(&harness->machine, "x = 1\nx", suffixes[i], 100000, "");
        assert_false(harness_try(harness, LANG_TOP, text, &code));
        assert_string_equal(harness->err.message, "nested deeper than 200");
    }
}

static void deep_blocks_are_refused(void **state)
{
    struct harness *harness = *state;
    struct strbuf text = {0};
    for (size_t i = 0; i < 1000; i++) {
        strbuf_fill(&text, ' ', i);
        strbuf_adds(&text, "if 1:\n");
    }
    struct lang_code *code;
    assert_false(harness_try(harness, LANG_TOP, strbuf_text(&text), &code));
    assert_string_equal(harness->err.message, "nested deeper than 200");
    strbuf_free(&text);
}

/* Long texts without nesting are accepted. */
static void long_text(void **state)
{
    struct harness *harness = *state;
    struct arena *arena = &harness->machine;
    (void)harness_compile(harness, LANG_EXPRESSION, repeated(arena, "1", " + 1", 50000, ""));
    (void)harness_compile(harness, LANG_EXPRESSION, repeated(arena, "1", " or 1", 50000, ""));
    (void)harness_compile(harness, LANG_EXPRESSION, repeated(arena, "[", "1, ", 50000, "]"));
    (void)harness_compile(harness, LANG_TOP, repeated(arena, "", "z = 1\n", 50000, ""));
    (void)harness_compile(harness, LANG_TOP,
                          repeated(arena, "if 0: pass\n", "elif 0: pass\n", 50000, ""));
    (void)harness_compile(harness, LANG_EXPRESSION, repeated(arena, "\"", "x", 1 << 20, "\""));
    (void)harness_compile(harness, LANG_EXPRESSION, repeated(arena, "", "9", 100000, ""));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(globals),
        TEST(builtins),
        TEST(names),
        TEST(a_bundle_cannot_be_assigned),
        TEST(a_step_makes_locals),
        TEST(a_local_hides_a_global_and_a_builtin),
        TEST(top_code_may_assign_a_local),
        TEST(declaring_lets_earlier_code_read_later_names),
        TEST(sole_names_and_calls),
        TEST(constant_texts),
        TEST(the_snippet_is_the_codes),
        TEST(a_slice_of_a_file),
        TEST(hostile_text),
        TEST(line_ends_of_windows),
        TEST(deep_text_is_refused),
        TEST(deep_blocks_are_refused),
        TEST(long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
