/*
 * Finds calls of builtins and methods that can only fail, before anything runs.
 *
 * It compares a call's names and number of arguments with the builtin's parameters, and checks that
 * some type has the method. It tries calls that have only constants, and discards the result.
 */
#ifndef LANG_CHECK_CALL_H
#define LANG_CHECK_CALL_H

#include "lang/resolve/module.h"

/* The function whose code holds the call. */
struct call_place {
    struct lang_module *module;
    const struct function *function;
};
/* Checks a call whose names are resolved; false with err and its position. */
bool call_check(const struct call_place *place, struct expr *call, struct error *err);
/* Returns true if the value depends neither on the model's values nor on its functions. */
bool expr_is_constant(const struct expr *expr);

#endif
