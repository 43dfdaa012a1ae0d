/*
 * The language's names for strategies and their methods, for the modules that assemble a language
 * and those that add kinds of strategies.
 */
#ifndef GEN_KINDS_H
#define GEN_KINDS_H

#include "gen/kind.h"

/* integers, booleans, …, consumes: for lang_module_new. Ends with name NULL. */
extern const struct native_function strategy_functions[];
/* map, filter, flatmap of a strategy. */
extern const struct native_function strategy_methods[];
/* The kind of lists that are bundles. */
extern const struct list_kind bundle_kind;

/* a | b; false with err if one of them can't be a strategy. */
bool strategy_union(struct arena *arena, struct value a, struct value b, struct value *out,
                    struct error *err);
/* Makes a strategy of the kind from a call that native_run has bound. */
bool kind_call(const struct strategy_kind *kind, const struct native_call *call, struct value *out,
               struct error *err);

/* For a table of native functions: the function that calls kind_NAME, and its row. */
#define KIND_FUNCTION(name)                                                                        \
    static bool make_##name(const struct native_call *call, struct value *out, struct error *err)  \
    {                                                                                              \
        return kind_call(&kind_##name, call, out, err);                                            \
    }
#define KIND_ROW(name) {#name, make_##name, kind_##name.params, 0},

#endif
