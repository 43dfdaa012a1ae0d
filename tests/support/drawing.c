#include "support/drawing.h"

#include "schema/schema.h"

#include <string.h>

struct arena test_arena;

int drawing_clear(void **state)
{
    (void)state;
    arena_free(&test_arena);
    return 0;
}

static bool call_object(struct caller *caller, struct value callee, const struct value *args,
                        size_t count, struct value *out, struct error *err)
{
    assert_int_equal(callee.type, VALUE_OBJECT);
    assert_non_null(callee.as.object->type->call);
    struct native_call call = {.caller = caller, .args = args, .arg_count = count};
    return callee.as.object->type->call(callee.as.object, &call, out, err);
}

static struct caller caller = {.arena = &test_arena, .call = call_object};

struct caller *test_caller(void) { return &caller; }

static bool make(const char *name, va_list arguments, struct value *out, struct error *err)
{
    struct value args[NAMED_MAX];
    struct named_value named[NAMED_MAX];
    struct native_call call = {.caller = &caller, .args = args, .named = named};
    const char *param;
    /* clang-tidy 14 loses sight of a va_list that is passed on */
    while ((param = va_arg(arguments, const char *))) { /* NOLINT(*-valist.Uninitialized) */
        struct value value = va_arg(arguments, struct value);
        if (*param) {
            named[call.named_count++] = (struct named_value){param, value};
        } else {
            args[call.arg_count++] = value;
        }
    }
    const struct native_function *tables[] = {strategy_functions, schema_functions};
    for (size_t i = 0; i < 2; i++) {
        for (const struct native_function *row = tables[i]; row->name; row++) {
            if (strcmp(row->name, name) == 0) {
                return native_run(row, &call, out, err);
            }
        }
    }
    fail_msg("there is no strategy %s", name);
    return false;
}

struct value strategy(const char *function, ...)
{
    struct value out;
    struct error err = {0};
    va_list arguments;
    va_start(arguments, function);
    bool ok = make(function, arguments, &out, &err);
    va_end(arguments);
    if (!ok) {
        fail_msg("%s", err.message);
    }
    return out;
}

const struct error *strategy_error(const char *function, ...)
{
    struct value out;
    struct error *err = ARENA_NEW(&test_arena, struct error);
    va_list arguments;
    va_start(arguments, function);
    bool ok = make(function, arguments, &out, err);
    va_end(arguments);
    assert_false(ok);
    return err;
}

struct value method(struct value self, const char *name, struct value function)
{
    struct value out;
    struct error err = {0};
    const struct native_function *row = native_find(own_methods(self), name);
    assert_non_null(row);
    struct value bound = value_native(&test_arena, row, self);
    if (!call_object(&caller, bound, &function, 1, &out, &err)) {
        fail_msg("%s", err.message);
    }
    return out;
}

struct value function(native_fn *fn)
{
    struct native_function *row = ARENA_NEW(&test_arena, struct native_function);
    row->name = "test";
    row->fn = fn;
    return value_native(&test_arena, row, value_none());
}

struct value text(const char *text) { return value_text(&test_arena, text); }

struct value int_list(size_t count, const int64_t *ints)
{
    struct value list = value_list(&test_arena);
    for (size_t i = 0; i < count; i++) {
        list_append(list.as.list, value_int(ints[i]));
    }
    return list;
}

struct value bundle_of(struct list *items)
{
    items->kind = &bundle_kind;
    return (struct value){.type = VALUE_LIST, .as.list = items};
}

struct drawer *test_drawer(uint64_t seed)
{
    struct drawer *drawer = replay_drawer(NULL);
    drawer->rng = ARENA_NEW(&test_arena, struct rng);
    rng_seed(drawer->rng, seed, 0);
    drawer->memory = draw_memory_new(&test_arena);
    return drawer;
}

struct drawer *replay_drawer(const struct choices *replay)
{
    struct drawer *drawer = ARENA_NEW(&test_arena, struct drawer);
    drawer->caller = &caller;
    drawer->arena = &test_arena;
    drawer->record = ARENA_NEW(&test_arena, struct choices);
    drawer->replay = replay;
    drawer_begin(drawer);
    return drawer;
}

enum draw_result draw_result(struct drawer *drawer, struct value strategy, struct value *out)
{
    struct error err = {0};
    drawer_begin(drawer);
    enum draw_result result = strategy_draw(drawer, strategy, 1, out, &err);
    if (result == DRAW_ERROR) {
        fail_msg("%s", err.message);
    }
    return result;
}

struct value draw_ok(struct drawer *drawer, struct value strategy)
{
    struct value out;
    assert_int_equal(draw_result(drawer, strategy, &out), DRAW_OK);
    return out;
}

const char *repr(struct value value)
{
    struct strbuf out = {0};
    value_repr(value, &out);
    char *copy = strbuf_copy(&out, &test_arena);
    strbuf_free(&out);
    return copy;
}

void assert_repr(struct value value, const char *expected)
{
    assert_string_equal(repr(value), expected);
}
