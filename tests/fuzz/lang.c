/* A program in the model language: compiled and run, with less to spend than an example has. */
#include "lang/lang.h"

#include "base/source.h"
#include "fuzz/fuzz.h"
#include "tables/tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    static const struct native_function *const tables[] = {tables_functions, NULL};
    struct lang_module *module = lang_module_new(&arena, tables, NULL);
    struct source source = {.name = "test", .text = fuzz_text(&arena, data, size), .size = size};
    struct snippet snippet = snippet_of_source(&source);
    struct lang_code *code = NULL;
    struct lang_state state;
    struct value value = value_none();
    struct error err;
    struct strbuf text = {0};
    if (lang_compile(module, &arena, NULL, LANG_TOP, &snippet, &code, &err)) {
        lang_state_begin(&state, module, &arena, NULL);
        state.limits.steps = 20000;
        state.limits.bytes = 1 << 20;
        if (lang_eval(&state, code, NULL, &value, &err)) {
            value_repr(value, &text);
        }
    }
    strbuf_free(&text);
    arena_free(&arena);
    return 0;
}
