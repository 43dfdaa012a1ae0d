#include "api/errors.h"
#include "api/given.h"
#include "api/machine.h"

#include "example/bundle.h"
#include "gen/kinds.h"
#include "lang/lang.h"
#include "schema/schema.h"
#include "tables/tables.h"

#include <pgfsm/eval.h>

/* What a program runs in: the machine's names, or none but the language's own. */
static struct lang_module *module_for(const struct pgfsm_machine *machine, struct arena *arena)
{
    static const struct native_function *const tables[] = {strategy_functions, schema_functions,
                                                           tables_functions, NULL};
    static const struct named_value no_constants[] = {{NULL, {0}}};
    if (machine) {
        return machine->machine->module;
    }
    struct lang_module *module = lang_module_new(arena, tables, no_constants);
    lang_module_methods(module, strategy_methods);
    lang_module_methods(module, tables_methods);
    return module;
}

/* Bundles are as they are before the first step: empty. */
static void set_bundles(struct lang_state *state, const struct machine *machine,
                        struct arena *arena)
{
    struct bundles bundles;
    bundles_begin(&bundles, machine, arena);
    for (size_t i = 0; i < machine->bundles.count; i++) {
        lang_set_global(state, machine->bundles.items[i].global, bundle_value(&bundles, i));
    }
}

static bool run_model(struct lang_state *state, const struct machine *machine, struct arena *arena,
                      struct error *err)
{
    set_bundles(state, machine, arena);
    migration_begin(machine, state);
    return !machine->model || lang_exec(state, machine->model, NULL, err);
}

/* A value's text, in memory of malloc. */
static char *text_of(struct value value)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    return text.data;
}

bool pgfsm_eval(char **value, const struct pgfsm_machine *machine, const char *name,
                const char *text, size_t size, const struct pgfsm_callbacks *callbacks,
                struct pgfsm_errors *errors)
{
    struct arena arena = {0};
    struct error err = {0};
    struct source source = {.name = name, .text = text, .size = size};
    struct snippet snippet = snippet_of_source(&source);
    struct lang_module *module = module_for(machine, &arena);
    struct lang_code *code;
    struct lang_state state;
    struct value result = value_none();
    struct pgfsm_callbacks given = PGFSM_CALLBACKS_INIT;
    *value = NULL;
    if (!GIVEN_TAKE(&given, callbacks, errors, pgfsm_callbacks)) {
        arena_free(&arena);
        return false;
    }
    bool ok = lang_compile(module, &arena, NULL, LANG_TOP, &snippet, &code, &err);
    if (ok) {
        lang_state_begin(&state, module, &arena, NULL);
        state.print = given.print;
        state.print_host = given.host;
        ok = (!machine || run_model(&state, machine->machine, &arena, &err)) &&
             lang_eval(&state, code, NULL, &result, &err);
    }
    if (!ok) {
        (void)errors_add(errors, &err);
    } else if (result.type != VALUE_NONE) {
        *value = text_of(result);
    }
    arena_free(&arena);
    return ok;
}
