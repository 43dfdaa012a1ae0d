/* The strategies for columns and tables that a machine names. */
#ifndef SCHEMA_SCHEMA_H
#define SCHEMA_SCHEMA_H

#include "gen/kinds.h"

/* column, row: for lang_module_new. Ends with name NULL. */
extern const struct native_function schema_functions[];

#endif
