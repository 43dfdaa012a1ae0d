/*
 * Types: what is known of the server's types, as far as decoding and encoding need it.
 *
 * Those that pgtypes/ has OIDs of are known; all others are read from
 * the catalog once, with everything they are made of, before the first value of them is met. A
 * domain is as its base, but for its name.
 *
 * This file knows no connection: whoever has one runs sql/types.sql and gives the rows to
 * types_add.
 */
#ifndef PG_TYPES_H
#define PG_TYPES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "example/backend.h"
#include "pgtypes/pgtypes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct type {
    uint32_t oid;
    const char *name; /* as format_type gives it */
    enum type_kind kind;
    uint32_t base;    /* of a domain: looked through when it is used; else 0 */
    char delimiter;   /* between the elements of an array */
    uint32_t element; /* TYPE_ARRAY */
    size_t field_count;
    const uint32_t *fields; /* TYPE_TUPLE */
};

struct types {
    struct arena arena;
    struct map by_oid;
    const struct types *others; /* asked where a type is not known here; or NULL */
};

/* Readies the built-in types. Freed by types_free; types_clear forgets all but the built-in. */
void types_init(struct types *types);
void types_clear(struct types *types);
void types_free(struct types *types);

/* The type, or NULL if it is not known (yet). */
const struct type *types_find(const struct types *types, uint32_t oid);
/* A type that is found out of necessity: an unknown one is text of its own kind. */
const struct type *types_get(const struct types *types, uint32_t oid);

/* A row of sql/types.sql: text of oid, name, typtype, element, delimiter, base, fields. */
enum { TYPES_COLUMNS = 7 };
void types_add(struct types *types, const char *const row[TYPES_COLUMNS]);

/* How values of the type are compared, and whether a container's leaves all are by decoded value.
 */
enum column_class type_class(const struct type *type);
bool type_is_plain(const struct types *types, const struct type *type);

#endif
