#include "harness.h"

#include <string.h>

void harness_begin(struct harness *harness, const struct native_function *const *tables,
                   const struct named_value *constants)
{
    *harness = (struct harness){0};
    harness->module = lang_module_new(&harness->machine, tables, constants);
}

void harness_end(struct harness *harness)
{
    arena_free(&harness->machine);
    arena_free(&harness->example);
}

bool harness_try(struct harness *harness, enum lang_mode mode, const char *text,
                 struct lang_code **out)
{
    struct source *source = ARENA_NEW(&harness->machine, struct source);
    struct snippet *snippet = ARENA_NEW(&harness->machine, struct snippet);
    *source = (struct source){
        .name = "test", .text = arena_strdup(&harness->machine, text), .size = strlen(text)};
    *snippet = snippet_of_source(source);
    return lang_compile(harness->module, &harness->machine, &harness->locals, mode, snippet, out,
                        &harness->err);
}

struct lang_code *harness_compile(struct harness *harness, enum lang_mode mode, const char *text)
{
    struct lang_code *code = NULL;
    if (!harness_try(harness, mode, text, &code)) {
        fail_msg("%s: %s", text, harness->err.message);
    }
    return code;
}

void harness_start(struct harness *harness)
{
    arena_reset(&harness->example);
    lang_state_begin(&harness->state, harness->module, &harness->example, NULL);
}

struct value harness_run(struct harness *harness, const struct lang_code *code,
                         struct value *locals)
{
    struct value value = value_none();
    if (!lang_eval(&harness->state, code, locals, &value, &harness->err)) {
        fail_msg("%s", harness->err.message);
    }
    return value;
}

void assert_repr(struct value value, const char *expected)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    assert_string_equal(strbuf_text(&text), expected);
    strbuf_free(&text);
}

void harness_gives(struct harness *harness, const struct lang_code *code, struct value *locals,
                   const char *expected)
{
    assert_repr(harness_run(harness, code, locals), expected);
}

void harness_refuses(struct harness *harness, enum lang_mode mode, const char *text, size_t line,
                     size_t column, const char *message)
{
    struct lang_code *code;
    assert_false(harness_try(harness, mode, text, &code));
    assert_string_equal(harness->err.message, message);
    assert_int_equal(harness->err.code, ERROR_MACHINE);
    struct source_place place = source_place(harness->err.pos);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}
