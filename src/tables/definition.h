/* What a machine says of its tables: keys and constraints, read from the argument of tables(). */
#ifndef TABLES_DEFINITION_H
#define TABLES_DEFINITION_H

#include "base/map.h"
#include "base/vec.h"
#include "value/value.h"

/* Names of columns, in the order in which a constraint has them. */
struct column_list {
    const struct value *names; /* strings */
    size_t count;
};

/* What a foreign key does to a row when the row that it refers to is deleted, or gets another key.
 */
enum action_kind { ACTION_NOTHING, ACTION_RESTRICT, ACTION_CASCADE, ACTION_SET };
struct action {
    enum action_kind kind;
    struct value set; /* ACTION_SET: a dict of the columns' new values */
};

struct unique {
    struct value name; /* a string, or None: errors are predicted without it */
    size_t index;      /* of its table */
};

struct reference {
    struct value name;
    size_t child, parent;             /* tables */
    size_t child_index, parent_index; /* indexes of theirs */
    struct action on_delete, on_update;
    bool full;    /* MATCH FULL */
    bool inexact; /* whether the server finds a row may differ from what the model finds */
};

enum table_event { EVENT_INSERT = 1, EVENT_UPDATE = 2, EVENT_DELETE = 4 };

struct table_definition {
    struct value name;     /* "users", "app.users" */
    struct value relation; /* as errors name it; None: they don't */
    struct column_list key;
    struct column_list domains;  /* that the type of the column makes NOT NULL: checked first */
    struct column_list required; /* NOT NULL */
    VEC(struct column_list) indexes;
    VEC(struct unique) uniques;
    VEC(size_t) refers;   /* its foreign keys */
    VEC(size_t) referred; /* those whose parent it is */
    /* Errors that may come besides the predicted ones: of a row that is written, of one that lacks
     * a required column, and of triggers. */
    struct items may, may_early, raised;
    unsigned before, after;           /* events that have triggers; flags of enum table_event */
    struct column_list adds, removes; /* tables to which triggers may add rows, or take rows from */
    struct value forms;               /* a dict: column -> form, for stored(); or None */
};

struct definition {
    VEC(struct table_definition) tables;
    struct map names; /* of tables: to their places */
    VEC(struct reference) references;
};

/* Reads the dict of tables. False with err if something in it is not as documented. Everything is
 * in the arena, where the dict must live as long. */
bool definition_read(struct arena *arena, struct value dict, struct definition *out,
                     struct error *err);

/* The table of that name; false with err, and what may have been meant. */
bool definition_find(const struct definition *definition, struct value name, size_t *out,
                     struct error *err);

#endif
