/* What is known of PostgreSQL's types. */
#ifndef SCHEMA_TYPES_H
#define SCHEMA_TYPES_H

#include "schema/catalog.h"

/* What values of a type look like. */
enum type_form {
    /* numbers, of which a check's constant is one, too */
    TYPE_INT2,
    TYPE_INT4,
    TYPE_INT8,
    TYPE_OID,
    TYPE_NUMERIC,
    TYPE_FLOAT,
    TYPE_DATE,
    TYPE_TIME,
    TYPE_TIMESTAMP,
    TYPE_INTERVAL,
    TYPE_BOOL,
    TYPE_BYTES,
    TYPE_UUID,
    /* of these it is not known here which is more: texts are ordered by a collation */
    TYPE_UNORDERED,
    TYPE_TEXT = TYPE_UNORDERED,
    TYPE_NAME,
    TYPE_MONEY,
    TYPE_BITS,
    TYPE_JSON,
    TYPE_PATTERN,
};

struct type_row {
    const char *name; /* in pg_type */
    enum type_form form;
    const char *pattern; /* of TYPE_PATTERN: what the type's output function writes */
};

/* Of a scalar column's type; NULL: it is none that is known. */
const struct type_row *type_row(const struct column_facts *column);
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
