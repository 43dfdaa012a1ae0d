/*
 * Mistakes that show before anything runs: calls of builtins and methods that can only fail.
 *
 * A call's names and number of arguments are held against the builtin's parameters; a method must
 * be one that some type has. A call of nothing but constants is tried out, and what it gives is
 * thrown away.
 */
#ifndef LANG_CHECK_CALL_H
#define LANG_CHECK_CALL_H

#include "lang/resolve/module.h"

/* Where the call is: in the code of the function. */
struct call_place {
    struct lang_module *module;
    const struct function *function;
};
/* Checks a call whose names are resolved; false with err and its position. */
bool call_check(const struct call_place *place, struct expr *call, struct error *err);
/* Whether the expression gives the same whatever the model holds, and calls no function of it. */
bool expr_is_constant(const struct expr *expr);

#endif
