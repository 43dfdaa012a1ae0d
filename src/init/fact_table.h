/* The kinds of facts and their defaults. */
#ifndef INIT_FACT_TABLE_H
#define INIT_FACT_TABLE_H

#include "init/facts.h"

enum fact_kind {
    FACT_FLAG,
    FACT_TEXT,    /* or NULL */
    FACT_NAMES,   /* a list of texts */
    FACT_COLUMNS, /* a list of names of the table's columns */
    FACT_TABLES,  /* a list of names of tables; `all` in the short form */
    FACT_TABLE,   /* a table's name */
    FACT_ANY,
};

/* The place of a fact. */
struct fact_scope {
    struct arena *arena;
    struct items tables; /* dicts */
    struct value table;  /* the dict of its table */
    struct value of;     /* the dict that contains it */
};

typedef struct value fact_default(const struct fact_scope *scope);

struct fact {
    const char *name;
    enum fact_kind kind;
    fact_default *otherwise; /* its default from other facts; NULL for false, NULL, no items */
};

/* The facts of a thing; each follows those that it is derived from. */
struct fact_set {
    const char *noun; /* "column", for messages */
    const char
        *head; /* the fact that may be written instead of a dict, if it is the only one; or NULL */
    const struct fact *all; /* ends with {0} */
    const char *needs;      /* the required fact; or NULL */
};

extern const struct fact_set
    table_facts_first; /* facts that are not derived from columns, keys or CHECKs */
extern const struct fact_set column_facts_first;
extern const struct fact_set unique_facts;
extern const struct fact_set table_facts_last; /* the key */
extern const struct fact_set check_facts_of_table;
extern const struct fact_set column_facts_last; /* facts derived from CHECKs */
extern const struct fact_set null_facts;        /* NOT NULL of a single partition */
extern const struct fact_set reference_facts;
extern const struct fact_set policy_facts;

/* The names of all tables, in order: the meaning of `all` in a FACT_TABLES. */
struct value fact_all_tables(const struct fact_scope *scope);
/* The default of the fact. */
struct value fact_otherwise(const struct fact *fact, const struct fact_scope *scope);
/* Returns true if the value equals the default. */
bool fact_follows(const struct fact *fact, const struct fact_scope *scope);

#endif
