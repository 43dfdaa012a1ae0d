/*
 * The names that the language has for strategies, and what makes a value draw or chain: for the
 * modules that put a language together, and for those that bring more kinds of strategies.
 */
#ifndef GEN_KINDS_H
#define GEN_KINDS_H

#include "gen/kind.h"

/* integers, booleans, …, consumes: for lang_module_new. Ends with name NULL. */
extern const struct native_function strategy_functions[];
/* map, filter, flatmap of a strategy. */
extern const struct native_function strategy_methods[];
/* What makes a list a bundle. */
extern const struct list_kind bundle_kind;

/* a | b; false with err where one of them can't be a strategy. */
bool strategy_union(struct arena *arena, struct value a, struct value b, struct value *out,
                    struct error *err);
/* Makes a strategy of the kind out of a call that native_run has bound. */
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
