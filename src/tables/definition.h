/* Keys and constraints of a machine's tables, read from the argument of tables(). */
#ifndef TABLES_DEFINITION_H
#define TABLES_DEFINITION_H

#include "base/map.h"
#include "base/vec.h"
#include "value/value.h"

/* Names of columns, in a constraint's order. */
struct column_list {
    const struct value *names; /* strings */
    size_t count;
};

/* A foreign key's action on a row when the referenced row is deleted or gets another key. */
enum action_kind { ACTION_NOTHING, ACTION_RESTRICT, ACTION_CASCADE, ACTION_SET };
struct action {
    enum action_kind kind;
    struct value set; /* ACTION_SET: a dict of the columns' new values */
};

struct unique {
    struct value name; /* a string, or None if predicted errors don't have it */
    size_t index;      /* of its table */
};

struct reference {
    struct value name;
    size_t child, parent;             /* tables */
    size_t child_index, parent_index; /* indexes of theirs */
    struct action on_delete, on_update;
    bool full;    /* MATCH FULL */
    bool inexact; /* the server may find a row that the model doesn't, or the reverse */
};

enum table_event { EVENT_INSERT = 1, EVENT_UPDATE = 2, EVENT_DELETE = 4 };

struct table_definition {
    struct value name;     /* "users", "app.users" */
    struct value relation; /* its name in errors; None if they don't have it */
    struct column_list key;
    struct column_list domains;  /* NOT NULL by the column's domain, which is checked first */
    struct column_list required; /* NOT NULL */
    VEC(struct column_list) indexes;
    VEC(struct unique) uniques;
    VEC(size_t) refers;   /* its foreign keys */
    VEC(size_t) referred; /* foreign keys that refer to this table */
    /* Errors that may occur besides the predicted ones: for a written row, for a row without a
     * required column, and from triggers. */
    struct items may, may_early, raised;
    unsigned before, after; /* events that have triggers; flags of enum table_event */
    struct column_list adds,
        removes; /* tables to which triggers may add rows, or from which they may delete rows */
    struct value forms; /* a dict: column -> form, for stored(); or None */
};

struct definition {
    VEC(struct table_definition) tables;
    struct map names; /* indexes of tables by name */
    VEC(struct reference) references;
};

/* Reads the dict of tables. False with err if it is not as documented. The result is in the arena;
 * the dict must live as long. */
bool definition_read(struct arena *arena, struct value dict, struct definition *out,
                     struct error *err);

/* Finds the table of that name; false with err, which suggests a similar name. */
bool definition_find(const struct definition *definition, struct value name, size_t *out,
                     struct error *err);

#endif
