#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pgfsm/pgfsm.h>

/* A stack of texts, which allocates in both ways. */
struct stack {
    size_t count;
    const char *items[4];
    char *note;
};

static int alive;

static void begin(void *state, struct pgfsm_call *call)
{
    struct stack *stack = state;
    assert_ptr_equal(pgfsm_call_host(call), &alive);
    assert_null(pgfsm_call_function(call));
    stack->items[0] = strcpy(pgfsm_call_alloc(call, 4), "new");
    stack->note = strdup("new");
    alive++;
}

static void end(void *state, void *host)
{
    assert_ptr_equal(host, &alive);
    struct stack *stack = state;
    free(stack->note);
    alive--;
}

static const struct pgfsm_value *push(void *state, struct pgfsm_call *call)
{
    struct stack *stack = state;
    const char *text = pgfsm_arg_text(call, "item");
    if (!text || stack->count == 4) {
        pgfsm_call_fail(call, "no room");
        return NULL;
    }
    char *copy = pgfsm_call_alloc(call, strlen(text) + 1);
    stack->items[stack->count++] = strcpy(copy, text);
    return pgfsm_value_int(call, (int64_t)stack->count);
}

static const struct pgfsm_value *items(const void *state, struct pgfsm_call *call)
{
    const struct stack *stack = state;
    struct pgfsm_value *out = pgfsm_value_list(call);
    for (size_t i = 0; i < stack->count; i++) {
        pgfsm_value_add(call, out, pgfsm_value_text(call, stack->items[i]));
    }
    return out;
}

static const struct pgfsm_value *sneak(const void *state, struct pgfsm_call *call)
{
    (void)call;
    *(size_t *)(uintptr_t)state = 0; /* past const */
    return NULL;
}

/* Everything that a value can be, there and back. */
static const struct pgfsm_value *echo(const void *state, struct pgfsm_call *call)
{
    const struct pgfsm_value *x = pgfsm_arg(call, "x");
    struct pgfsm_value *out;
    size_t size;
    const void *bytes;
    (void)state;
    switch (pgfsm_value_type(x)) {
    case PGFSM_TYPE_NONE:
        return pgfsm_value_to_text(call, x) || pgfsm_value_to_bytes(call, x, &size) ? x : NULL;
    case PGFSM_TYPE_BOOL:
        return pgfsm_value_bool(call, pgfsm_arg_bool(call, "x"));
    case PGFSM_TYPE_INT:
        return pgfsm_value_int(call, pgfsm_arg_int(call, "x"));
    case PGFSM_TYPE_NUMERIC:
        return pgfsm_value_numeric(call, pgfsm_arg_text(call, "x"));
    case PGFSM_TYPE_FLOAT:
        return pgfsm_value_double(call, pgfsm_arg_double(call, "x"));
    case PGFSM_TYPE_TEXT:
        return pgfsm_value_text(call, pgfsm_arg_text(call, "x"));
    case PGFSM_TYPE_BYTES:
        bytes = pgfsm_value_to_bytes(call, x, &size);
        return pgfsm_value_bytes(call, bytes, size);
    case PGFSM_TYPE_LIST:
        out = pgfsm_value_bag(call);
        break;
    case PGFSM_TYPE_SET:
        out = pgfsm_value_set(call);
        break;
    case PGFSM_TYPE_DICT:
        out = pgfsm_value_dict(call);
        for (size_t i = 0; i < pgfsm_value_count(x); i++) {
            pgfsm_value_put(call, out, pgfsm_value_item(x, i), pgfsm_value_item_value(x, i));
        }
        return PGFSM_TUPLE(call, out, pgfsm_value_field(x, "b"), pgfsm_value_field(x, "none"));
    case PGFSM_TYPE_OTHER:
    default:
        return x;
    }
    for (size_t i = 0; i < pgfsm_value_count(x); i++) {
        pgfsm_value_add(call, out, pgfsm_value_item(x, i));
    }
    return pgfsm_value_item(x, pgfsm_value_count(x)) ? NULL : out;
}

static const struct pgfsm_value *cents(const void *state, struct pgfsm_call *call)
{
    (void)state;
    return pgfsm_value_scaled(call, pgfsm_arg_scaled(call, "x", 2), 2);
}

/* One mistake each. */
static const struct pgfsm_value *wrong(const void *state, struct pgfsm_call *call)
{
    size_t size;
    (void)state;
    switch (pgfsm_arg_int(call, "way")) {
    case 0:
        return pgfsm_value_text(call, "\xff");
    case 1:
        return pgfsm_value_numeric(call, "1.5.");
    case 2:
        return pgfsm_arg(call, "wat");
    case 3:
        pgfsm_value_add(call, pgfsm_value_dict(call), NULL);
        return NULL;
    case 4:
        pgfsm_value_add(call, pgfsm_value_set(call), pgfsm_value_list(call));
        return NULL;
    case 5:
        pgfsm_value_put(call, pgfsm_value_list(call), NULL, NULL);
        return NULL;
    case 6:
        (void)pgfsm_value_to_bool(call, NULL);
        (void)pgfsm_value_to_int(call, NULL); /* the first one counts */
        return NULL;
    case 7:
        (void)pgfsm_value_to_double(call, NULL);
        return NULL;
    case 8:
        (void)pgfsm_value_to_text(call, pgfsm_value_list(call));
        return NULL;
    case 9:
        (void)pgfsm_value_to_bytes(call, pgfsm_value_list(call), &size);
        return NULL;
    case 10: /* a text to compare, whatever went wrong */
        return pgfsm_value_bool(call, strcmp(pgfsm_arg_text(call, "wya"), "a") == 0);
    case 11:
        return pgfsm_arg(call, NULL);
    case 12:
        return pgfsm_value_numeric(call, NULL);
    case 13:
        return pgfsm_value_bytes(call, NULL, 5);
    case 14:
        return pgfsm_value_tuple(call, NULL, 3);
    case 15:
        pgfsm_call_fail(call, NULL);
        return NULL;
    case 16:
        (void)pgfsm_value_to_bytes(call, pgfsm_value_list(call), NULL);
        return NULL;
    default:
        return pgfsm_value_field(pgfsm_value_list(call), NULL);
    }
}

/* One function in C for two of the model. */
static const struct pgfsm_value *which(const void *state, struct pgfsm_call *call)
{
    (void)state;
    return pgfsm_value_text(call, pgfsm_call_function(call)->name);
}

static const struct pgfsm_function functions[] = {
    {.name = "push", .params = "item", .change = push},
    {.name = "items", .look = items},
    {.name = "sneak", .look = sneak},
    {.name = "echo", .params = "x", .look = echo},
    {.name = "cents", .params = "x", .look = cents},
    {.name = "wrong", .params = " way, ", .look = wrong},
    {.name = "one", .look = which},
    {.name = "two", .look = which},
    {0},
};
static const struct pgfsm_model stack = {.struct_size = sizeof(struct pgfsm_model),
                                         .name = "stack",
                                         .state_size = sizeof(struct stack),
                                         .functions = functions,
                                         .host = &alive,
                                         .init = begin,
                                         .free = end,
                                         .show = items};

static const char text[] = "machine: stacks\n"
                           "model: s = stack()\n"
                           "rules: {push: {args: {x: text()}, model: s.push(x)}}\n";

/* What the program gives, or the message of the error that it ends with. */
static void gives(const char *program, const char *wanted)
{
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    char *value = NULL;
    assert_true(pgfsm_machine_read(&machine, "s.yaml", text, strlen(text), &stack, errors));
    if (pgfsm_eval(&value, machine, "<test>", program, strlen(program), NULL, errors)) {
        assert_string_equal(value ? value : "None", wanted);
    } else {
        assert_int_equal(pgfsm_errors_at(errors, 0)->line, 1);
        assert_string_equal(pgfsm_errors_at(errors, 0)->message, wanted);
    }
    free(value);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    assert_int_equal(alive, 0);
}

static void functions_look_at_the_state_and_change_it(void **state)
{
    (void)state;
    gives("s.push('a'); s.push(item='b')", "2");
    gives("s.push('a'); s.items()", "[\"a\"]");
    gives("s.push(1.50); s", "stack([\"1.50\"])");
    gives("t = stack(); t.push('a'); (s, t, type(t))", "(stack([]), stack([\"a\"]), \"stack\")");
    gives("s == stack()", "False");
    gives("s.one() + s.two()", "\"onetwo\"");
}

static void values_go_there_and_back(void **state)
{
    (void)state;
    gives("[s.echo(x) for x in [None, True, -7, 1.50, float('0.1'), 'é', b'a\\x00']]",
          "[None, True, -7, 1.50, float(\"0.1\"), \"é\", b\"a\\x00\"]");
    gives("s.echo([1, (2,)])", "bag([1, (2,)])");
    gives("s.echo({1, 2})", "set([1, 2])");
    gives("s.echo({'a': 1, 'b': [2]})", "({\"a\": 1, \"b\": [2]}, [2], None)");
    gives("d = {'a': 1, 'b': 2, 'c': 3}; d.pop('b'); s.echo(d)",
          "({\"a\": 1, \"c\": 3}, None, None)");
}

static void money_is_whole_cents(void **state)
{
    (void)state;
    gives("[s.cents(x) for x in [0, 7, 1.5, 0.07, -12.34, 92233720368547758.07]]",
          "[0.00, 7.00, 1.50, 0.07, -12.34, 92233720368547758.07]");
    for (size_t i = 0; i < 5; i++) {
        static const char *const none[][2] = {{"s.cents(0.001)", "numeric"},
                                              {"s.cents(92233720368547758.08)", "numeric"},
                                              {"s.cents(float('1.5'))", "float"},
                                              {"s.cents(numeric('NaN'))", "numeric"},
                                              {"s.cents(None)", "NoneType"}};
        char message[128];
        (void)snprintf(message, sizeof message,
                       "stack.cents(): argument 'x' is %s, not an exact number of at most 2 "
                       "decimal places, in 64 bits",
                       none[i][1]);
        gives(none[i][0], message);
    }
}

static void mistakes_name_the_function(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "stack.wrong(): pgfsm_value_text() was given a text that is not UTF-8",
        "stack.wrong(): pgfsm_value_numeric() was given '1.5.', which is no number",
        "stack.wrong(): it has no parameter 'wat'",
        "stack.wrong(): pgfsm_value_add() needs a new list, set or bag",
        "stack.wrong(): list can't be an item of a set or a key of a dict",
        "stack.wrong(): pgfsm_value_put() needs a new dict",
        "stack.wrong(): a value is NoneType, not a bool",
        "stack.wrong(): a value is NoneType, not a number",
        "stack.wrong(): a value is list, not a string, a number or None",
        "stack.wrong(): a value is list, not bytes or None",
        "stack.wrong(): it has no parameter 'wya'",
        "stack.wrong(): pgfsm_arg() was given no name",
        "stack.wrong(): pgfsm_value_numeric() was given no text",
        "stack.wrong(): pgfsm_value_bytes() was given a size, but no data",
        "stack.wrong(): pgfsm_value_tuple() was given a count, but no items",
        "stack.wrong(): pgfsm_call_fail() was given no message",
        "stack.wrong(): a value is list, not bytes or None",
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char program[16];
        (void)snprintf(program, sizeof program, "s.wrong(%zu)", i);
        gives(program, messages[i]);
    }
    gives("s.wrong(17)", "None"); /* nothing has the name NULL */
    gives("s.wrong('0')", "stack.wrong(): argument 'way' is string, not an int of 64 bits");
    gives("s.wrong(1 << 64)", "stack.wrong(): argument 'way' is int, not an int of 64 bits");
    gives("s.wrong()", "stack.wrong() is missing its argument 'way'");
    gives("s.psh(1)", "no value has a method 'psh', did you mean 'push'?");
    gives("s.push(None)", "stack.push(): no room");
    gives("s.push('a'); s.sneak()", "stack.sneak(): it changed the state, but is a `look`");
}

static void refuse(void *state, struct pgfsm_call *call)
{
    (void)state;
    pgfsm_call_fail(call, "no state today");
}

static void a_state_may_fail_to_begin(void **state)
{
    static const struct pgfsm_model model = {
        .struct_size = sizeof model, .name = "never", .state_size = 1, .init = refuse};
    struct pgfsm_machine *machine;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    char *value;
    static const char only[] = "machine: m\nrules: {r: {sql: SELECT 1}}\n";
    (void)state;
    assert_true(pgfsm_machine_read(&machine, "m.yaml", only, strlen(only), &model, errors));
    assert_false(pgfsm_eval(&value, machine, "<test>", "never()", 7, NULL, errors));
    assert_string_equal(pgfsm_errors_at(errors, 0)->message, "never.init(): no state today");
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
}

static const struct pgfsm_value *nothing(const void *state, struct pgfsm_call *call)
{
    (void)state;
    (void)call;
    return NULL;
}

static void what_is_no_model_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *message;
        const char *name;
        struct pgfsm_function function;
    } cases[] = {
        {"the model's name '' is no name of the model language", NULL, {.name = NULL}},
        {"the model's name 'a b' is no name of the model language", "a b", {.name = NULL}},
        {"the model's name 'set' is that of a function already", "set", {.name = NULL}},
        {"the model's name 'text' is that of a function already", "text", {.name = NULL}},
        {"model m: function f: it needs either `look` or `change`", "m", {.name = "f"}},
        {"model m: function f: it needs either `look` or `change`",
         "m",
         {.name = "f", .look = nothing, .change = push}},
        {"model m: function f-g: its name is no name of the model language",
         "m",
         {.name = "f-g", .look = nothing}},
        {"model m: function f: a parameter is no name",
         "m",
         {.name = "f", .params = "a, 2", .look = nothing}},
        {"model m: function f: it has more than 16 parameters",
         "m",
         {.name = "f", .params = "a b c d e f g h i j k l m n o p q", .look = nothing}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pgfsm_function only[] = {cases[i].function, {0}};
        const struct pgfsm_model model = {
            .struct_size = sizeof model, .name = cases[i].name, .functions = only};
        struct pgfsm_machine *machine;
        struct pgfsm_errors *errors = pgfsm_errors_new();
        assert_false(pgfsm_machine_read(&machine, "m.yaml", text, strlen(text), &model, errors));
        assert_null(machine);
        assert_int_equal(pgfsm_errors_count(errors), 1);
        assert_int_equal(pgfsm_errors_at(errors, 0)->code, PGFSM_ERROR_USAGE);
        assert_string_equal(pgfsm_errors_at(errors, 0)->message, cases[i].message);
        pgfsm_errors_free(errors);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_look_at_the_state_and_change_it),
        cmocka_unit_test(values_go_there_and_back),
        cmocka_unit_test(money_is_whole_cents),
        cmocka_unit_test(mistakes_name_the_function),
        cmocka_unit_test(a_state_may_fail_to_begin),
        cmocka_unit_test(what_is_no_model_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
