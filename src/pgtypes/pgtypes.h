/*
 * PostgreSQL's types: what our modules know of each, in one table. A new type is a row.
 *
 * A type without an OID is known by its name alone: one of an extension, or one that is read from
 * the catalog before a value of it is met. What a row does not give is 0 or NULL: there is none.
 */
#ifndef PGTYPES_PGTYPES_H
#define PGTYPES_PGTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the server's text of a value is read (pg/types/). */
enum type_kind {
    TYPE_OTHER, /* everything that is not below: text form */
    TYPE_INT,   /* int2, int4, int8, oid */
    TYPE_NUMERIC,
    TYPE_FLOAT,
    TYPE_BOOL,
    TYPE_TEXT,   /* text, varchar, name: equal only where the text is the same */
    TYPE_JSON,   /* json, jsonb */
    TYPE_BYTES,  /* bytea */
    TYPE_ARRAY,  /* of an element's type */
    TYPE_TUPLE,  /* a composite */
    TYPE_RECORD, /* an anonymous composite: fields are text */
    TYPE_VOID,   /* no value: a function in SQL gives NULL for it, one in PL/pgSQL '' */
};

/* How values of a column are drawn (schema/). */
enum type_form {
    FORM_NONE, /* they are not */
    /* numbers, of which a check's constant is one, too */
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
    /* of these it is not known here which is more: texts are ordered by a collation */
    FORM_UNORDERED,
    FORM_TEXT = FORM_UNORDERED,
    FORM_NAME,
    FORM_MONEY,
    FORM_BITS,
    FORM_JSON,
    FORM_PATTERN,
};

/* What a type modifier says. */
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
    bool as_text;        /* a script compares its values as text: it has no equality, or no order */
    bool is_key;         /* its values look the same as an array's items */
    const char *pattern; /* of FORM_PATTERN: what the type's output function writes */
    /* What `init` writes: a strategy for any value; a value in SQL that no trigger computes; values
     * of a setting; whether a value of a row may be the setting's. */
    const char *strategy;
    const char *odd;
    const char *setting;
    const char *setting_test;
};

extern const struct pgtype pgtypes[];
extern const size_t pgtype_count;

/* By name; one that knows nothing if there is none. */
const struct pgtype *pgtype_named(const char *name);

#endif
