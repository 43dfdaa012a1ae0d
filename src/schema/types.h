/* What is known of the types of columns. */
#ifndef SCHEMA_TYPES_H
#define SCHEMA_TYPES_H

#include "pgtypes/pgtypes.h"
#include "schema/catalog.h"

/* Of a scalar column's type; NULL: it is none that is known. */
const struct pgtype *column_type(const struct column_facts *column);
/* Whether values can be drawn for the column. */
bool column_is_known(const struct column_facts *column);
/* Sets the error that says they can't. Always false. */
bool column_unknown_type(const struct column_facts *column, struct error *err);
/* Whether it is known here what is more and what is less. */
bool column_is_ordered(const struct column_facts *column);

/* The first check of the kind, or NULL. */
const struct check_facts *check_of_kind(const struct column_facts *column, enum check_kind kind);
/* A constant of a check as a value of the column's type; None where it is none. */
struct value check_constant(struct arena *arena, const struct column_facts *column,
                            const char *text);
/* A constant as a number; false: it is none. */
bool check_number(struct arena *arena, const char *text, struct value *out);

#endif
