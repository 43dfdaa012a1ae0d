/* Runs code: states, locals, callbacks, objects and rows of the host. */
#include "harness.h"

#include <string.h>

/* An object as a host has it: a counter that joins with others into a list. */
struct counter {
    struct object object;
    int64_t count;
};

static bool counter_attr(const struct object *object, const char *name, struct caller *caller,
                         struct value *out, struct error *err)
{
    (void)caller;
    if (strcmp(name, "count") != 0) {
        return error_set(err, ERROR_MACHINE, "a counter has no '%s'", name);
    }
    *out = value_int(((const struct counter *)(const void *)object)->count);
    return true;
}

static const struct native_param add_params[] = {{"n", PARAM_REQUIRED, 0}, {0}};

static bool counter_add(const struct native_call *call, struct value *out, struct error *err)
{
    struct counter *counter = (struct counter *)(void *)call->self.as.object;
    struct value result = call->args[0];
    /* a function is called back with what there is */
    if (result.type == VALUE_OBJECT) {
        struct value count = value_int(counter->count);
        struct value function = result;
        if (!call->caller->call(call->caller, function, &count, 1, &result, err)) {
            return false;
        }
    }
    counter->count += result.as.integer;
    *out = value_none();
    return true;
}

static bool counter_join(struct arena *arena, struct value a, struct value b, struct value *out,
                         struct error *err)
{
    if (a.type == VALUE_STRING || b.type == VALUE_STRING) {
        return error_set(err, ERROR_MACHINE, "no strings");
    }
    *out = value_list(arena);
    list_append(out->as.list, a);
    list_append(out->as.list, b);
    return true;
}

static void counter_repr(const struct object *object, struct strbuf *out)
{
    strbuf_addf(out, "<counter %d>", (int)((const struct counter *)(const void *)object)->count);
}

static const struct native_function counter_methods[] = {{"add", counter_add, add_params, 0}, {0}};
static const char *const counter_names[] = {"count", NULL};

static const struct object_type counter_type = {
    .name = "counter",
    .repr = counter_repr,
    .attr = counter_attr,
    .attr_names = counter_names,
    .methods = counter_methods,
    .join = counter_join,
};

static bool native_counter(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    struct counter *counter = ARENA_NEW(call->caller->arena, struct counter);
    counter->object.type = &counter_type;
    *out = value_object(&counter->object);
    return true;
}

static const struct native_function natives[] = {{"counter", native_counter, NULL, 0}, {0}};
static const struct native_function *const tables[] = {natives, NULL};

static int setup(void **state)
{
    static struct harness harness;
    harness_begin(&harness, tables, NULL);
    *state = &harness;
    return 0;
}

static int teardown(void **state)
{
    harness_end(*state);
    return 0;
}

static void fails(struct harness *harness, const struct lang_code *code, struct value *locals,
                  const char *message)
{
    struct value value;
    assert_false(lang_eval(&harness->state, code, locals, &value, &harness->err));
    assert_string_equal(harness->err.message, message);
    assert_non_null(harness->err.pos.source);
}

static void globals_live_in_the_state(void **state)
{
    struct harness *harness = *state;
    struct lang_code *model = harness_compile(harness, LANG_TOP, "members = {}");
    struct lang_code *step = harness_compile(harness, LANG_STEP, "members[len(members)] = 1");
    struct lang_code *read = harness_compile(harness, LANG_EXPRESSION, "members");
    size_t slot;
    struct value value;
    assert_true(lang_module_find_global(harness->module, "members", &slot));
    for (int example = 0; example < 2; example++) {
        harness_start(harness);
        assert_false(lang_get_global(&harness->state, slot, &value));
        fails(harness, read, NULL, "'members' is read before it is assigned");
        assert_true(lang_exec(&harness->state, model, NULL, &harness->err));
        assert_true(lang_exec(&harness->state, step, NULL, &harness->err));
        assert_true(lang_exec(&harness->state, step, NULL, &harness->err));
        harness_gives(harness, read, NULL, "{0: 1, 1: 1}");
        assert_true(lang_get_global(&harness->state, slot, &value));
        assert_repr(value, "{0: 1, 1: 1}");
    }
    lang_set_global(&harness->state, slot, value_int(5));
    harness_gives(harness, read, NULL, "5");
}

static void locals_of_a_step(void **state)
{
    struct harness *harness = *state;
    (void)lang_locals_add(&harness->locals, &harness->machine, "a");
    struct lang_code *step = harness_compile(harness, LANG_STEP, "b = a + 1\na = 10\nc = [b]");
    struct lang_code *read = harness_compile(harness, LANG_EXPRESSION, "(a, b, c)");
    struct value locals[3] = {value_int(1)};
    lang_unset(&locals[1]);
    lang_unset(&locals[2]);
    harness_start(harness);
    fails(harness, read, locals, "'b' is read before it is assigned");
    assert_true(lang_exec(&harness->state, step, locals, &harness->err));
    harness_gives(harness, read, locals, "(10, 2, [2])");
}

/* A function may outlive the host's array of locals. */
static void functions_keep_the_steps_locals(void **state)
{
    struct harness *harness = *state;
    (void)lang_locals_add(&harness->locals, &harness->machine, "a");
    struct lang_code *make = harness_compile(harness, LANG_EXPRESSION, "lambda x: [x, a]");
    struct lang_code *step =
        harness_compile(harness, LANG_STEP, "f = lambda: a\na = 2\ng = lambda: [f(), a]\na = 3");
    struct lang_code *use = harness_compile(harness, LANG_EXPRESSION, "(f(), g(), a)");
    harness_start(harness);
    struct value function;
    {
        struct value locals[3] = {value_int(1)};
        function = harness_run(harness, make, locals);
    }
    struct value arg = value_int(9);
    struct value out;
    assert_true(
        harness->state.caller.call(&harness->state.caller, function, &arg, 1, &out, &harness->err));
    assert_repr(out, "[9, 1]");
    struct value locals[3] = {value_int(1)};
    assert_true(lang_exec(&harness->state, step, locals, &harness->err));
    harness_gives(harness, use, locals, "(3, [3, 3], 3)");
}

static void the_last_expression_is_the_value(void **state)
{
    struct harness *harness = *state;
    static const struct {
        const char *text;
        const char *value;
    } cases[] = {
        {"1; 2", "2"}, {"x = 1\nx + 1\n", "2"}, {"x = 1", "None"},
        {"", "None"},  {"if True: 5", "None"},  {"def f(): return 1\nf()", "1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lang_code *code = harness_compile(harness, LANG_TOP, cases[i].text);
        harness_start(harness);
        harness_gives(harness, code, NULL, cases[i].value);
    }
}

static void objects(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_TOP,
                                             "c = counter()\n"
                                             "c.add(3)\n"
                                             "c.add(n=lambda n: n * 10)\n"
                                             "add = c.add\n"
                                             "add(1)\n"
                                             "(c.count, c, type(c), hasattr(c, 'add'), dir(c), "
                                             "c | 1, 1 | c, getattr(c, 'count'))");
    harness_start(harness);
    harness_gives(harness, code, NULL,
                  "(34, <counter 34>, \"counter\", True, [\"add\", \"count\"], [<counter 34>, 1], "
                  "[1, <counter 34>], 34)");
}

static void objects_fail_with_a_place(void **state)
{
    struct harness *harness = *state;
    static const struct {
        const char *text;
        const char *message;
        const char *hint;
    } cases[] = {
        {"counter().cuont", "a counter has no 'cuont'", "did you mean 'count'?"},
        {"[counter() for x in [1]][0].ad(1)", "a counter has no 'ad'", "did you mean 'add'?"},
        {"counter() | 'x'", "no strings", ""},
        {"counter() & counter()", "operator & does not take counter and counter", ""},
        {"counter()[0]", "a value of type counter can't be indexed", ""},
        {"[x for x in counter()]", "cannot loop over a value of type counter", ""},
        {"1 in counter()", "nothing can be `in` a value of type counter", ""},
        {"[counter() for x in [1]][0]()", "a value of type counter can't be called", ""},
        {"counter() < counter()", "cannot order counter and counter", ""},
        {"[counter() for x in [1]][0].add(lambda n: n.x)",
         "a value of type int has no attribute 'x'", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, cases[i].text);
        harness_start(harness);
        fails(harness, code, NULL, cases[i].message);
        assert_string_equal(harness->err.hint, cases[i].hint);
    }
}

static void rows(void **state)
{
    struct harness *harness = *state;
    static const char *const names[] = {"id", "name"};
    (void)lang_locals_add(&harness->locals, &harness->machine, "row");
    struct lang_code *read =
        harness_compile(harness, LANG_EXPRESSION,
                        "(row.id, row.name, row[0], row, len(row), row == (1, 'x'), dir(row))");
    struct lang_code *wrong = harness_compile(harness, LANG_EXPRESSION, "row.nmae");
    struct lang_code *far = harness_compile(harness, LANG_EXPRESSION, "row.created_at");
    harness_start(harness);
    struct value items[2] = {value_int(1), value_text(&harness->example, "x")};
    struct value row = value_row(&harness->example, items, names, 2);
    harness_gives(harness, read, &row, "(1, \"x\", 1, (1, \"x\"), 2, True, [\"id\", \"name\"])");
    fails(harness, wrong, &row, "the row has no column 'nmae'");
    assert_string_equal(harness->err.hint, "did you mean 'name'?");
    fails(harness, far, &row, "the row has no column 'created_at'");
    assert_string_equal(harness->err.hint, "its columns are: id, name");
}

/* Code decoded out of a file, where every byte stood twice as far; a function of another file. */
static void the_call_stack_names_files(void **state)
{
    struct harness *harness = *state;
    static const struct source model = {
        .name = "model.yaml", .text = "def f(x): return 1 // x", .size = 23};
    static const struct source rules = {
        .name = "rules.yaml", .text = "a:\n  [ f ( 0 ) ]", .size = 17};
    static const uint32_t places[] = {5, 7, 9, 11, 13, 15, 17};
    struct snippet first = snippet_of_source(&model);
    struct snippet second = {.source = &rules, .text = "[f(0)]", .size = 6};
    snippet_map(&second, places, &harness->machine);
    struct lang_code *define;
    struct lang_code *use;
    assert_true(lang_compile(harness->module, &harness->machine, NULL, LANG_TOP, &first, &define,
                             &harness->err));
    assert_true(lang_compile(harness->module, &harness->machine, NULL, LANG_EXPRESSION, &second,
                             &use, &harness->err));
    harness_start(harness);
    assert_true(lang_exec(&harness->state, define, NULL, &harness->err));
    fails(harness, use, NULL, "division by zero");
    struct strbuf text = {0};
    error_format(&harness->err, &text);
    assert_string_equal(strbuf_text(&text), "model.yaml:1:20: error: division by zero\n"
                                            "    def f(x): return 1 // x\n"
                                            "                       ^\n"
                                            "  model.yaml:1:20 in f\n"
                                            "  rules.yaml:2:5 in the code outside functions\n");
    strbuf_free(&text);
}

static void a_state_goes_on_after_an_error(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_TOP,
                                             "xs = [1, 2]\n"
                                             "def f(x): return [10 // y for y in [x]]\n"
                                             "[f(x - 1) for x in xs]");
    struct lang_code *after = harness_compile(harness, LANG_STEP, "xs.append(3)\nxs");
    harness_start(harness);
    fails(harness, code, NULL, "division by zero");
    assert_string_equal(harness->err.detail, "test:2:22 in f\n"
                                             "test:3:2 in the code outside functions");
    assert_int_equal(harness->state.depth, 0);
    assert_int_equal(harness->state.levels, 0);
    assert_null(harness->state.frame);
    harness_gives(harness, after, NULL, "[1, 2, 3]"); /* no loop holds the list any more */
}

static void limits_are_counted_over_an_example(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code =
        harness_compile(harness, LANG_EXPRESSION, "sum([x for x in range(1000)])");
    harness_start(harness);
    harness->state.limits.steps = 10000;
    int runs = 0;
    struct value value;
    while (lang_eval(&harness->state, code, NULL, &value, &harness->err)) {
        runs++;
    }
    assert_in_range(runs, 2, 5);
    assert_int_equal(harness->err.code, ERROR_LIMIT);
    harness_start(harness);
    harness_gives(harness, code, NULL, "499500");
}

static void mistakes_are_the_machines(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "fail('x', 1)");
    harness_start(harness);
    fails(harness, code, NULL, "fail: x 1");
    assert_int_equal(harness->err.code, ERROR_MACHINE);
}

static void nobody_listens_to_print(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "print('x')");
    harness_start(harness);
    harness_gives(harness, code, NULL, "None");
}

/* The host may call functions while nothing runs. */
static void calls_from_outside(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(harness, LANG_EXPRESSION, "lambda x: 10 // x");
    harness_start(harness);
    struct caller *caller = &harness->state.caller;
    struct value function = harness_run(harness, code, NULL);
    struct value args[2] = {value_int(3), value_int(4)};
    struct value out;
    assert_true(caller->call(caller, function, args, 1, &out, &harness->err));
    assert_repr(out, "3");
    assert_false(caller->call(caller, function, args, 2, &out, &harness->err));
    assert_string_equal(harness->err.message,
                        "lambda() accepts at most 1 positional argument, but 2 were given");
    args[0] = value_int(0);
    assert_false(caller->call(caller, function, args, 1, &out, &harness->err));
    assert_string_equal(harness->err.message, "division by zero");
    assert_int_equal(source_place(harness->err.pos).column, 14);
    assert_false(caller->call(caller, value_int(5), args, 1, &out, &harness->err));
    assert_string_equal(harness->err.message, "a value of type int can't be called");
}

/* A server whose encoding is SQL_ASCII may send bytes that are no UTF-8. Each counts as a character
 * without a kind; methods end, and keep it as it is. */
static void strings_may_be_invalid(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(
        harness, LANG_EXPRESSION,
        "lambda s: [s.upper() == 'A' + s[1] + ' B', s.title().lower() == s, s.isalpha(),"
        " len(s.split()), len(s.strip(s[1] + 'b')), hash(s) == hash(s[:])]");
    harness_start(harness);
    struct caller *caller = &harness->state.caller;
    struct value arg = value_string(caller->arena, "a\xff b", 4);
    struct value out;
    struct value function = harness_run(harness, code, NULL);
    assert_true(caller->call(caller, function, &arg, 1, &out, &harness->err));
    assert_repr(out, "[True, True, False, 2, 3, True]");
}

/* Two runs give exactly the same output, even where hashes and addresses could show. */
static void runs_are_the_same(void **state)
{
    struct harness *harness = *state;
    struct lang_code *code = harness_compile(
        harness, LANG_TOP,
        "fs = {(lambda x: x): i for i in range(5)}\n"
        "s = {str(i * 7919 % 101) for i in range(100)}\n"
        "(fs, s, len, [f(1) for f in fs], sorted(s), list({1.5, 'a', None, (1, 2), b'x'}))");
    struct strbuf first = {0};
    struct strbuf second = {0};
    harness_start(harness);
    value_repr(harness_run(harness, code, NULL), &first);
    harness_start(harness);
    (void)arena_alloc(&harness->example, 12345);
    value_repr(harness_run(harness, code, NULL), &second);
    assert_string_equal(strbuf_text(&first), strbuf_text(&second));
    strbuf_free(&first);
    strbuf_free(&second);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(globals_live_in_the_state),
        TEST(locals_of_a_step),
        TEST(functions_keep_the_steps_locals),
        TEST(the_last_expression_is_the_value),
        TEST(objects),
        TEST(objects_fail_with_a_place),
        TEST(rows),
        TEST(the_call_stack_names_files),
        TEST(a_state_goes_on_after_an_error),
        TEST(limits_are_counted_over_an_example),
        TEST(mistakes_are_the_machines),
        TEST(nobody_listens_to_print),
        TEST(calls_from_outside),
        TEST(strings_may_be_invalid),
        TEST(runs_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
