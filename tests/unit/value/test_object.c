/* Native functions: how their arguments are bound and how they are called; range(). */
#include "check.h"

static const struct native_param params[] = {
    {.name = "x", .kind = PARAM_REQUIRED, .flags = PARAM_POSITIONAL},
    {.name = "min_value", .kind = PARAM_REQUIRED},
    {.name = "max_value", .kind = PARAM_OPTIONAL},
    {0},
};

static const struct native_param rest_params[] = {
    {.name = "first", .kind = PARAM_REQUIRED},
    {.name = "others", .kind = PARAM_REST},
    {.name = "key", .kind = PARAM_OPTIONAL},
    {0},
};

/* "<bound values>" or the error message; omitted arguments are 99. */
static const char *bind(const struct native_param *to, size_t count, const struct value *args,
                        size_t arg_count, const struct named_value *named, size_t named_count)
{
    const struct value standards[3] = {INT(99), INT(99), INT(99)};
    struct value out[3];
    struct caller caller = {.arena = &memory};
    struct native_call call = {.caller = &caller,
                               .args = args,
                               .arg_count = arg_count,
                               .named = named,
                               .named_count = named_count};
    struct error err = {0};
    bool done = native_bind("f", to, &call, standards, out, &err);
    return done ? repr(value_tuple(&memory, out, count)) : arena_strdup(&memory, err.message);
}

#define NO_ARGS NULL, 0

static void binding(void **state)
{
    (void)state;
    assert_string_equal(bind(params, 3, ITEMS(INT(1), INT(2)), NULL, 0), "(1, 2, 99)");
    assert_string_equal(bind(params, 3, ITEMS(INT(1), INT(2), INT(3)), NULL, 0), "(1, 2, 3)");
    const struct named_value named[] = {{"max_value", INT(3)}, {"min_value", INT(2)}};
    assert_string_equal(bind(params, 3, ITEMS(INT(1)), named, 2), "(1, 2, 3)");
    assert_string_equal(bind(params, 3, ITEMS(INT(1)), named, 1),
                        "f() is missing its argument 'min_value'");
    assert_string_equal(bind(params, 3, NO_ARGS, named, 2), "f() is missing its argument 'x'");
    assert_string_equal(bind(params, 3, ITEMS(INT(1), INT(2)), named, 2),
                        "f() got two values for the argument 'min_value'");
    assert_string_equal(bind(params, 3, ITEMS(INT(1), INT(2), INT(3), INT(4)), NULL, 0),
                        "f() accepts at most 3 positional arguments, but 4 were given");
}

static void wrong_names(void **state)
{
    (void)state;
    const struct named_value close = {"mn_value", INT(1)};
    const struct named_value far = {"colour", INT(1)};
    const struct named_value positional = {"x", INT(1)};
    assert_string_equal(bind(params, 3, ITEMS(INT(1)), &close, 1),
                        "f() got an unexpected argument 'mn_value', did you mean 'min_value'?");
    assert_string_equal(bind(params, 3, ITEMS(INT(1)), &far, 1),
                        "f() got an unexpected argument 'colour'");
    assert_string_equal(bind(params, 3, NO_ARGS, &positional, 1),
                        "f() got an unexpected argument 'x'");
}

static void binding_rest(void **state)
{
    (void)state;
    const struct named_value key = {"key", text("k")};
    const struct named_value others = {"others", INT(1)};
    assert_string_equal(bind(rest_params, 3, ITEMS(INT(1)), NULL, 0), "(1, (), 99)");
    assert_string_equal(bind(rest_params, 3, ITEMS(INT(1), INT(2), INT(3), INT(4)), &key, 1),
                        "(1, (2, 3, 4), \"k\")");
    assert_string_equal(bind(rest_params, 3, NO_ARGS, &key, 1),
                        "f() is missing its argument 'first'");
    assert_string_equal(bind(rest_params, 3, ITEMS(INT(1)), &others, 1),
                        "f() got an unexpected argument 'others'");
    static const struct native_param none[] = {{0}};
    assert_string_equal(bind(none, 0, NO_ARGS, NULL, 0), "()");
    assert_string_equal(bind(none, 0, ITEMS(INT(1)), NULL, 0),
                        "f() accepts no positional arguments, but 1 was given");
}

static bool describe(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = TUPLE(call->self, INT((int64_t)call->arg_count));
    return true;
}

static const struct native_function methods[] = {{.name = "describe", .fn = describe}, {0}};

static void natives(void **state)
{
    (void)state;
    struct caller caller = {.arena = &memory};
    const struct value args[] = {INT(1), INT(2)};
    struct native_call call = {.caller = &caller, .args = args, .arg_count = 2};
    struct value function = value_native(&memory, &methods[0], value_none());
    struct value method = value_native(&memory, &methods[0], text("me"));
    struct value out;
    const struct object_type *type = method.as.object->type;
    assert_true(type->call(method.as.object, &call, &out, NULL));
    assert_repr(out, "(\"me\", 2)");
    assert_repr(function, "<built-in function describe>");
    assert_repr(method, "<built-in method describe of string value>");
    assert_true(value_equal(method, value_native(&memory, &methods[0], text("me"))));
    assert_false(value_equal(method, function));
    uint64_t a;
    uint64_t b;
    assert_true(value_hash(function, &a, NULL));
    assert_true(value_hash(value_native(&memory, &methods[0], value_none()), &b, NULL));
    assert_int_equal(a, b);
    assert_true(value_truth(function));
}

static bool never(const struct object *object)
{
    (void)object;
    return false;
}

static bool no_length(const struct object *object, size_t *out)
{
    (void)object;
    (void)out;
    return false;
}

static void what_objects_say(void **state)
{
    (void)state;
    static const struct object_type type = {.name = "odd", .truth = never, .length = no_length};
    static const struct object_type unsized_type = {.name = "unsized", .length = no_length};
    struct object object = {.type = &type};
    struct object unsized = {.type = &unsized_type};
    struct error err = {0};
    size_t length;
    assert_false(value_truth(value_object(&object)));
    assert_true(value_truth(value_object(&unsized)));
    assert_false(value_length(value_object(&unsized), &length, &err));
    assert_string_equal(err.message, "this unsized has no length");
}

static void object_methods(void **state)
{
    (void)state;
    static const struct object_type type = {.name = "thing", .methods = methods};
    static const struct object_type bare_type = {.name = "bare"};
    struct object object = {.type = &type};
    struct object bare = {.type = &bare_type};
    const struct native_function *method =
        native_find(own_methods(value_object(&object)), "describe");
    assert_non_null(method);
    assert_repr(value_native(&memory, method, value_object(&object)),
                "<built-in method describe of thing value>");
    assert_null(native_find(own_methods(value_object(&object)), "other"));
    assert_null(native_find(own_methods(value_object(&bare)), "describe"));
    assert_repr(value_object(&bare), "<bare>");
    assert_true(value_equal(value_object(&bare), value_object(&bare)));
    struct object other = {.type = &bare_type};
    assert_false(value_equal(value_object(&bare), value_object(&other)));
}

static const char *numbers_of(int64_t start, int64_t stop, int64_t step)
{
    struct value list = value_list(&memory);
    struct value_iter iter;
    struct value item;
    assert_true(value_iter_begin(&iter, value_range(&memory, start, stop, step), &memory, NULL));
    while (list.as.list->count < 5 && value_iter_next(&iter, &item)) {
        list_append(list.as.list, item);
    }
    value_iter_end(&iter);
    return repr(list);
}

static void ranges(void **state)
{
    (void)state;
    assert_string_equal(numbers_of(0, 3, 1), "[0, 1, 2]");
    assert_string_equal(numbers_of(0, 10, 4), "[0, 4, 8]");
    assert_string_equal(numbers_of(0, 9, 4), "[0, 4, 8]");
    assert_string_equal(numbers_of(0, 8, 4), "[0, 4]");
    assert_string_equal(numbers_of(3, 0, -1), "[3, 2, 1]");
    assert_string_equal(numbers_of(3, 0, -2), "[3, 1]");
    assert_string_equal(numbers_of(0, 3, -1), "[]");
    assert_string_equal(numbers_of(3, 3, 1), "[]");
    assert_string_equal(numbers_of(INT64_MAX - 1, INT64_MAX, INT64_MAX), "[9223372036854775806]");
    assert_string_equal(numbers_of(INT64_MIN, INT64_MAX, INT64_MAX),
                        "[-9223372036854775808, -1, 9223372036854775806]");
    assert_string_equal(numbers_of(INT64_MAX, INT64_MIN, INT64_MIN), "[9223372036854775807, -1]");
    size_t length;
    assert_true(value_length(value_range(&memory, INT64_MIN, INT64_MAX, 1), &length, NULL));
    assert_true(length == SIZE_MAX);
    assert_true(value_equal(value_range(&memory, 0, 3, 2), value_range(&memory, 0, 4, 2)));
    assert_true(value_equal(value_range(&memory, 0, 0, 2), value_range(&memory, 5, 1, 1)));
    assert_true(value_equal(value_range(&memory, 1, 2, 2), value_range(&memory, 1, 3, 7)));
    assert_false(value_equal(value_range(&memory, 0, 3, 1), value_range(&memory, 0, 4, 1)));
    int64_t start;
    int64_t step;
    assert_true(range_parts(value_range(&memory, 5, 1, -2), &start, &step, &length));
    assert_true(start == 5 && step == -2 && length == 2);
    assert_false(range_parts(value_list(&memory), &start, &step, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(binding),          TEST(wrong_names),    TEST(binding_rest), TEST(natives),
        TEST(what_objects_say), TEST(object_methods), TEST(ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
