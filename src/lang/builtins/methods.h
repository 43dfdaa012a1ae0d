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

/* The methods of each type of value; NULL for types without methods. */
extern const struct native_function *const method_tables[VALUE_TYPES];

#endif
