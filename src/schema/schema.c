#include "schema/schema.h"

#include "schema/column.h"

KIND_FUNCTION(column)
KIND_FUNCTION(row)
const struct native_function schema_functions[] = {KIND_ROW(column) KIND_ROW(row){0}};
