/*
 * PostgreSQL's types: one table of the properties that our modules need. A new type is a row.
 *
 * A type without an OID is found only by name: an extension's type, or one whose OID is read from
 * the catalog first. Properties that a type lacks are 0 or NULL.
 */
#ifndef PGTYPES_PGTYPES_H
#define PGTYPES_PGTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to read the server's text of a value (pg/types/). */
enum type_kind {
    TYPE_OTHER, /* everything that is not below: text form */
    TYPE_INT,   /* int2, int4, int8, oid */
    TYPE_NUMERIC,
    TYPE_FLOAT,
    TYPE_BOOL,
    TYPE_TEXT,   /* text, varchar, name: equal only if the text is the same */
    TYPE_JSON,   /* json, jsonb */
    TYPE_BYTES,  /* bytea */
    TYPE_ARRAY,  /* of an element's type */
    TYPE_TUPLE,  /* a composite */
    TYPE_RECORD, /* an anonymous composite: fields are text */
    TYPE_VOID,   /* no value: an SQL function returns NULL for it, a PL/pgSQL function '' */
};

/* How to draw values of a column (schema/). */
enum type_form {
    FORM_NONE, /* not drawn */
    /* numbers: constants in checks are numbers, too */
    FORM_INT2,
    FORM_INT4,
    FORM_INT8,
    FORM_OID,
    FORM_NUMERIC,
    FORM_FLOAT,
    FORM_DATE,
    FORM_TIME,
    FORM_TIMESTAMP,
    FORM_INTERVAL,
    FORM_BOOL,
    FORM_BYTES,
    FORM_UUID,
    /* types whose order is unknown here, such as texts, which a collation orders */
    FORM_UNORDERED,
    FORM_TEXT = FORM_UNORDERED,
    FORM_NAME,
    FORM_MONEY,
    FORM_BITS,
    FORM_JSON,
    FORM_PATTERN,
};

/* The meaning of a type modifier. */
enum type_modifier {
    MODIFIER_NONE,
    MODIFIER_TEXT,    /* a length */
    MODIFIER_BITS,    /* a length */
    MODIFIER_NUMERIC, /* precision and scale */
    MODIFIER_TIME,    /* digits of a second */
};

struct pgtype {
    const char *name;  /* in pg_type: "int4" */
    const char *title; /* as format_type gives it: "integer" */
    const char *array_title;
    uint32_t oid; /* these never change, see pg_type.dat */
    uint32_t array;
    enum type_kind kind;
    enum type_form form;
    enum type_modifier modifier;
    bool as_text; /* scripts compare its values as text, because it has no equality or no order */
    bool is_key;  /* its values have the same text as items of an array */
    const char *pattern; /* of FORM_PATTERN: what the type's output function writes */
    /* For `init`: a strategy for any value; a value in SQL that no trigger computes; values of a
     * setting; true if a value of a row may be the setting's. */
    const char *strategy;
    const char *odd;
    const char *setting;
    const char *setting_test;
};

extern const struct pgtype pgtypes[];
extern const size_t pgtype_count;

/* The type of that name; an empty entry if it is unknown. */
const struct pgtype *pgtype_named(const char *name);

#endif
