/* What is known of the schema, as pg_describe gives it: dicts and lists of values. */
#ifndef INIT_FACTS_H
#define INIT_FACTS_H

#include "base/vec.h"
#include "value/value.h"

struct table_plan {
    struct value facts;
    const char *name;     /* as row() takes it: "app.users" */
    const char *sql;      /* as SQL names it */
    const char *source;   /* as SQL reads it, without tables that inherit from it */
    const char *type;     /* that of its rows */
    const char *variable; /* of the model */
    const char *why_not;  /* why no row of it can be drawn; NULL: it can */
    size_t together;      /* the first of the tables whose rows must refer to each other, + 1 */
};

struct plan {
    struct arena *arena;
    VEC(struct table_plan) tables;
    struct items
        roles; /* of the users that policies are tested as; the first one calls functions */
    struct items rights;   /* what they may do with tables, and with functions */
    struct items settings; /* that say who the user is */
};

/* A member of a dict. NULL: it is NULL, or not there. */
const char *fact_text(struct value dict, const char *name);
bool fact_is(struct value dict, const char *name);
struct items fact_list(struct value dict, const char *name);
struct value fact_value(struct value dict, const char *name);

/* Sets a member. */
void fact_put(struct value dict, struct arena *arena, const char *name, struct value value);
/* Of dicts with names, the one of that name; None: there is none. */
struct value fact_named(struct items dicts, const char *name);

/* Whether the text is among strings. */
bool fact_has(struct items list, const char *text);
/* NULL: there is none. */
const struct table_plan *plan_table(const struct plan *plan, const char *name);
/* A column of the table that is known to be there. */
struct value plan_column(const struct table_plan *table, const char *name);

/* The table's rows, or of many the newest, in the model language. */
const char *plan_rows(const struct plan *plan, const struct table_plan *table);

/* A literal of the model language. */
const char *literal(struct arena *arena, struct value value);
/* The same between the single quotes of YAML, without these. */
const char *in_quotes(struct arena *arena, const char *text);
/* A name for the model and for rules that comes close to the text: letters, digits and _. */
const char *identifier(struct arena *arena, const char *text);

#endif
