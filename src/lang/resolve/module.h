/*
 * The internals of a module: its names, and the functions that its variables hold (for reads.c). It
 * does not change after everything is compiled.
 */
#ifndef LANG_MODULE_H
#define LANG_MODULE_H

#include "base/map.h"
#include "base/vec.h"
#include "lang/lang.h"
#include "lang/syntax/ast.h"

struct global {
    const char *name;
    enum lang_global_kind kind;
    /* Functions assigned to it by `def` or `name = lambda …`. */
    VEC(const struct function *) functions;
    bool names_values; /* in pinned examples, `<name>_<number>` is one of its values */
    bool data;         /* it is also assigned other values, or assigned by the host */
    bool kept;         /* its functions may be kept in any data structure of the model */
};

struct lang_module {
    struct arena *arena;
    VEC(struct named_value) builtins;
    VEC(struct global) globals;
    struct map global_names; /* to their index */
    /* Functions that may be kept in any data structure of the model. */
    VEC(const struct function *) kept;
    uint64_t tried; /* steps of trials, by check_call.c */
    VEC(const struct native_function *)
    methods; /* of objects; if empty, method calls are not checked */
};

struct lang_code {
    struct lang_module *module;
    const struct function *top;
    enum lang_mode mode;
    const struct lang_text_call *text_calls;
    size_t text_call_count;
};

/* Finds the builtin or constant; false if there is none. */
bool module_builtin(const struct lang_module *module, const char *name, struct value *out);
/* Returns true for `<name>_<number>`, which in pinned examples is a value of a bundle or of a
 * collection whose values have names. */
bool module_names_bundle_value(const struct lang_module *module, const char *name);

#endif
