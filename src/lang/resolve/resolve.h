/*
 * Resolver: gives every name in a syntax tree its slot, constant or cell, so that a run needs no
 * lookups. It also records the names that each function reads and assigns.
 *
 * Scope follows Starlark's specification ("Name binding and variables"): a name bound anywhere in a
 * function is local to all of it; a comprehension is a block of its own whose first operand belongs
 * to the block around it; inner functions share the variables of outer ones.
 */
#ifndef LANG_RESOLVE_H
#define LANG_RESOLVE_H

#include "lang/resolve/module.h"

struct resolve_job {
    struct lang_module *module;
    struct arena *arena;
    struct lang_locals *locals; /* may be NULL */
    enum lang_mode mode;
    struct error *err;
    bool bundle_values; /* <bundle>_<number> becomes a local at its first use */
};

/* Resolves a snippet's code; false with err and its position. Adds its calls with a text to `code`.
 */
bool resolve_top(const struct resolve_job *job, struct function *top, struct lang_code *code);
/* Adds the globals that resolve_top under LANG_TOP would add. */
bool resolve_declare(const struct resolve_job *job, struct function *top);

/* names.c: calls `visit` for each name that statements bind in their own block, by assignment, loop
 * or def. Stops and returns false if `visit` does. */
struct resolver;
enum name_use { NAME_ASSIGNED, NAME_LOOPED, NAME_DEFINED };
typedef bool name_visit(struct resolver *resolver, const struct expr *name, enum name_use use);
bool names_bound(const struct block *block, name_visit *visit, struct resolver *resolver);
bool names_of_target(const struct expr *target, enum name_use use, name_visit *visit,
                     struct resolver *resolver);

#endif
