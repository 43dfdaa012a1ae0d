/* Facts about the types of columns. */
#ifndef SCHEMA_TYPES_H
#define SCHEMA_TYPES_H

#include "pgtypes/pgtypes.h"
#include "schema/catalog.h"

/* The type of a scalar column; NULL if it is unknown. */
const struct pgtype *column_type(const struct column_facts *column);
/* Returns true if values can be drawn for the column. */
bool column_is_known(const struct column_facts *column);
/* Sets the error that they can't. Always false. */
bool column_unknown_type(const struct column_facts *column, struct error *err);
/* Returns true if the order of the values is known here. */
bool column_is_ordered(const struct column_facts *column);

/* The first check of the kind, or NULL. */
const struct check_facts *check_of_kind(const struct column_facts *column, enum check_kind kind);
/* A check's constant as a value of the column's type; None if it can't be one. */
struct value check_constant(struct arena *arena, const struct column_facts *column,
                            const char *text);
/* Reads a constant as a number; false if it is not one. */
bool check_number(struct arena *arena, const char *text, struct value *out);

#endif
