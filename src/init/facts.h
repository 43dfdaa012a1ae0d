/* Facts about the schema from pg_describe: dicts and lists of values. */
#ifndef INIT_FACTS_H
#define INIT_FACTS_H

#include "base/vec.h"
#include "value/value.h"

struct table_plan {
    struct value facts;
    const char *name;     /* the argument of row(): "app.users" */
    const char *sql;      /* its name in SQL */
    const char *source;   /* the table in FROM, without tables that inherit from it */
    const char *type;     /* its row type */
    const char *variable; /* its variable in the model */
    const char *why_not;  /* why its rows can't be drawn; NULL if they can */
    size_t together; /* the first table of its group whose rows must refer to each other, + 1 */
};

struct plan {
    struct arena *arena;
    VEC(struct table_plan) tables;
    struct items roles;  /* the roles that policies are tested as; the first one calls functions */
    struct items rights; /* their privileges on tables and functions */
    struct items settings; /* that identify the user */
};

/* A member of a dict; NULL if it is NULL or missing. */
const char *fact_text(struct value dict, const char *name);
bool fact_is(struct value dict, const char *name);
struct items fact_list(struct value dict, const char *name);
struct value fact_value(struct value dict, const char *name);

/* Sets a member. */
void fact_put(struct value dict, struct arena *arena, const char *name, struct value value);
/* The dict with that name; None if there is none. */
struct value fact_named(struct items dicts, const char *name);

/* Returns true if the list has the text. */
bool fact_has(struct items list, const char *text);
/* NULL: there is none. */
const struct table_plan *plan_table(const struct plan *plan, const char *name);
/* A column of the table, which must exist. */
struct value plan_column(const struct table_plan *table, const char *name);

/* The table's rows, or the newest if there are many, in the model language. */
const char *plan_rows(const struct plan *plan, const struct table_plan *table);

/* A literal of the model language. */
const char *literal(struct arena *arena, struct value value);
/* The same, escaped for YAML's single quotes, but without them. */
const char *in_quotes(struct arena *arena, const char *text);
/* A name for the model and for rules that resembles the text: letters, digits and _. */
const char *identifier(struct arena *arena, const char *text);

#endif
