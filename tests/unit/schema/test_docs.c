/* docs/STRATEGIES.md: it lists every strategy, and its examples run, in the language itself. */
#include "lang/lang.h"
#include "schema/catalog.h"
#include "schema/schema.h"
#include "support/drawing.h"

#include <stdio.h>
#include <string.h>

static const char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct strbuf text = {0};
    char buffer[4096];
    size_t size;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0) {
        strbuf_add(&text, buffer, size);
    }
    assert_int_equal(fclose(file), 0);
    char *copy = strbuf_copy(&text, &test_arena);
    strbuf_free(&text);
    return copy;
}

static const char *page(void) { return read_file(TEST_DATA_DIR "/../../../docs/STRATEGIES.md"); }

static void every_strategy_is_listed(void **state)
{
    (void)state;
    const char *text = page();
    const struct native_function *tables[] = {strategy_functions, strategy_methods,
                                              schema_functions};
    for (size_t i = 0; i < 3; i++) {
        for (const struct native_function *row = tables[i]; row->name; row++) {
            const char *line = arena_printf(&test_arena, "\n| `%s` |", row->name);
            if (!strstr(text, line)) {
                fail_msg("%s is not in docs/STRATEGIES.md", row->name);
            }
        }
    }
}

/* The language with all strategies and a bundle `users`. */
struct world {
    struct lang_module *module;
    struct lang_state state;
};

static void begin(struct world *world)
{
    static const struct native_function *const tables[] = {strategy_functions, schema_functions,
                                                           NULL};
    static const struct named_value no_constants[] = {{NULL, {0}}};
    world->module = lang_module_new(&test_arena, tables, no_constants);
    size_t users = lang_module_global(world->module, "users", LANG_FIXED);
    lang_state_begin(&world->state, world->module, &test_arena, NULL);
    lang_set_global(&world->state, users, bundle_of(int_list(3, (int64_t[]){1, 2, 3}).as.list));
}

static struct value evaluate(struct world *world, const char *text)
{
    struct source *source = ARENA_NEW(&test_arena, struct source);
    *source = (struct source){.name = "<test>", .text = text, .size = strlen(text)};
    struct snippet *snippet = ARENA_NEW(&test_arena, struct snippet);
    *snippet = snippet_of_source(source);
    struct lang_code *code = NULL;
    struct value out = {0};
    struct error err = {0};
    if (!lang_compile(world->module, &test_arena, NULL, LANG_EXPRESSION, snippet, &code, &err) ||
        !lang_eval(&world->state, code, NULL, &out, &err)) {
        fail_msg("%s: %s", text, err.message);
    }
    return out;
}

static void consume_nothing(struct drawer *drawer, struct value bundle, struct value item)
{
    (void)drawer, (void)bundle, (void)item;
}

static void locate_nothing(struct drawer *drawer, struct value from, struct value item,
                           struct reference *out)
{
    (void)drawer, (void)from, (void)item;
    out->step = REFERENCE_BY_POSITION;
}

static bool resolve_nothing(struct drawer *drawer, struct value from,
                            const struct reference *reference, struct value *out)
{
    (void)drawer, (void)from, (void)reference, (void)out;
    return false;
}

static enum collection_kind kind_fixed(struct drawer *drawer, struct value from)
{
    (void)drawer, (void)from;
    return COLLECTION_FIXED;
}

static uint32_t source_none(struct drawer *drawer, struct value from)
{
    (void)drawer, (void)from;
    return 0;
}

static const struct drawer_ops no_steps = {.locate = locate_nothing,
                                           .resolve = resolve_nothing,
                                           .kind_of = kind_fixed,
                                           .source = source_none,
                                           .consume = consume_nothing};

/* A table `users` with a column `email`. */
static bool find_users(void *host, const char *name, const struct table_facts **out,
                       struct error *err)
{
    (void)host, (void)name, (void)err;
    struct table_facts *users = ARENA_NEW(&test_arena, struct table_facts);
    users->name = "users";
    *VEC_PUSH(&test_arena, &users->columns) =
        (struct column_facts){.name = "email", .type = "text", .type_name = "text", .length = -1};
    *out = users;
    return true;
}

static void draws(struct world *world, const char *text)
{
    struct value strategy = evaluate(world, text);
    assert_true(value_is_strategy(strategy));
    struct drawer *drawer = test_drawer(1);
    drawer->caller = &world->state.caller;
    drawer->ops = &no_steps;
    static const struct draw_catalog catalog = {.find = find_users};
    drawer->catalog = &catalog;
    for (int i = 0; i < 20; i++) {
        draw_ok(drawer, strategy);
    }
    drawer->rng = NULL;
    draw_ok(drawer, strategy);
}

/* The last column of each row of the table: `example`, with \| for |. */
static void the_examples_draw(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    unsigned examples = 0;
    for (const char *row = strstr(page(), "\n| `"); row; row = strstr(row, "\n| `")) {
        const char *end = strchr(++row, '\n');
        const char *last = end - strlen("` |");
        assert_int_equal(strncmp(last, "` |", 3), 0);
        const char *start = last;
        while (start[-1] != '`') {
            start--;
        }
        draws(&world, arena_strndup(&test_arena, start, (size_t)(last - start)));
        examples++;
    }
    assert_int_equal(examples, 28);
}

static void the_language_knows_strategies(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    draws(&world, "none() | integers(1, 3) | users");
    draws(&world, "users | just(7)");
    draws(&world, "users.filter(lambda u: u > 1).map(lambda u: (u, u))");
    assert_repr(evaluate(&world, "none() | users.map(str)"),
                "one_of(none(), [1, 2, 3].map(<built-in function str>))");
    assert_repr(evaluate(&world, "type(integers())"), "\"strategy\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_strategy_is_listed, drawing_clear),
        cmocka_unit_test_teardown(the_examples_draw, drawing_clear),
        cmocka_unit_test_teardown(the_language_knows_strategies, drawing_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
