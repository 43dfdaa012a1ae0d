/* Methods of the language's own types. */
#ifndef LANG_METHODS_H
#define LANG_METHODS_H

#include "lang/syntax/ast.h"

/* Tables end with a row whose name is NULL. */
extern const struct native_function string_methods[];
extern const struct native_function bytes_methods[];
extern const struct native_function list_methods[];
extern const struct native_function dict_methods[];
extern const struct native_function set_methods[];

/* Which table a value's methods are in; METHOD_TYPES if in none. */
enum method_type method_type_of(struct value value);
const struct native_function *method_table(enum method_type type);
/* The method, or NULL. */
const struct native_function *method_find(enum method_type type, const char *name);

#endif
