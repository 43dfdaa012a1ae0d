#include "support/eval.h"

#include "lang/lang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct named_value no_constants[] = {{NULL, {0}}};
static const struct native_function *const no_tables[] = {NULL};

struct value test_eval(struct arena *arena, const char *expression)
{
    struct source *source = ARENA_NEW(arena, struct source);
    *source = (struct source){
        .name = "<test>", .text = arena_strdup(arena, expression), .size = strlen(expression)};
    struct snippet *snippet = ARENA_NEW(arena, struct snippet);
    *snippet = snippet_of_source(source);
    struct lang_module *module = lang_module_new(arena, no_tables, no_constants);
    struct lang_code *code = NULL;
    struct lang_state *state = ARENA_NEW(arena, struct lang_state);
    struct value value;
    struct error err;
    lang_state_begin(state, module, arena, NULL);
    if (!lang_compile(module, arena, NULL, LANG_EXPRESSION, snippet, &code, &err) ||
        !lang_eval(state, code, NULL, &value, &err)) {
        (void)fprintf(stderr, "%s: %s\n", expression, err.message);
        abort();
    }
    return value;
}
