/*
 * The facts about tables and columns that drawing values needs. The host provides them, because
 * this module knows no database.
 */
#ifndef SCHEMA_CATALOG_H
#define SCHEMA_CATALOG_H

#include "base/error.h"
#include "base/vec.h"
#include "value/value.h"

/* A condition of a CHECK on a single column. Constants are strings, as in SQL but without quotes:
 * "0", "viewer". */
enum check_kind {
    CHECK_IN,       /* one of `values`; all kinds but LENGTH_ may occur any number of times */
    CHECK_NOT_IN,   /* none of them */
    CHECK_AT_LEAST, /* this and the ones below have one value */
    CHECK_ABOVE,
    CHECK_AT_MOST,
    CHECK_BELOW,
    CHECK_MATCHES,         /* a regular expression, with (?i) in front for ~* */
    CHECK_LENGTH_AT_LEAST, /* characters of a text, bytes of a bytea, elements of an array */
    CHECK_LENGTH_AT_MOST,
};

struct check_facts {
    enum check_kind kind;
    VEC(const char *) values;
};

/* The structure of a type's values. */
enum type_shape {
    SHAPE_SCALAR,
    SHAPE_ARRAY,
    SHAPE_RANGE,
    SHAPE_MULTIRANGE,
    SHAPE_COMPOSITE,
};

/* A column, or a part of its values. */
struct column_facts {
    const char *name;
    const char *type;      /* its name in pg_type, or for a domain the base type's: "int4" */
    const char *type_name; /* as format_type gives it, for messages */
    enum type_shape shape;
    VEC(struct column_facts)
    parts; /* an array's elements, a range's bounds, a multirange's ranges:
              one; a composite's attributes */
    bool not_null;
    bool in_array; /* these are an array's elements */
    bool left_out; /* of rows, because it is generated, an identity or drawn from a sequence */
    bool has_default;
    int64_t length;    /* of varchar(n) and char(n), in characters, bit(n) and varbit(n); -1: any */
    int64_t precision; /* digits, of numeric(p, s); -1: any */
    int64_t scale;     /* of numeric(p, s), negative too */
    int64_t fraction;  /* digits of seconds, of timestamp(n) and its like; -1: any */
    VEC(const char *) labels; /* of an enum, in its order */
    VEC(struct check_facts) checks;
};

/* A foreign key: its columns, by their places in the table. */
struct key_facts {
    VEC(size_t) columns;
    bool full;         /* MATCH FULL: either all of its columns are NULL or none is */
    const char *query; /* the host's query for the rows that it may refer to */
};

struct table_facts {
    const char *name;
    VEC(struct column_facts) columns; /* in the table's order */
    VEC(struct key_facts) keys;
    /* For a partitioned table: its columns once for each partition, with the partition's checks. */
    VEC(struct column_facts *) partitions;
};

struct draw_catalog {
    void *host;
    /* Finds a table by its name, "users" or "app.users". It lives as long as the run. False with
     * err if there is none. */
    bool (*find)(void *host, const char *name, const struct table_facts **out, struct error *err);
    /* Gets the rows that a foreign key may refer to now, a list of tuples in a fixed order, in
     * `arena`. It asks the database, so it first waits for all pending answers. */
    bool (*rows)(void *host, const struct key_facts *key, struct arena *arena, struct value *out,
                 struct error *err);
};

/* The column of a table; NULL with err, which suggests a similar name. */
const struct column_facts *table_column(const struct table_facts *table, const char *name,
                                        struct error *err);
/* Returns true if a value can be drawn for the column in a row of the table or, with `alone`, by
 * itself, without falling back to NULL or the default. False with err if its type is unknown. */
bool column_check_type(const struct table_facts *table, const struct column_facts *column,
                       bool alone, struct error *err);
/* The index among the key's columns of the table's column `column`; SIZE_MAX if it is not among
 * them. */
size_t key_column(const struct key_facts *key, size_t column);
/* Splits "app.users.email" into "app.users" (in `arena`) and "email"; false if there is no dot. */
bool catalog_split(struct arena *arena, const char *text, const char **table, const char **column);

#endif
