/* What facts there are, and what each is where nothing else is said. */
#ifndef INIT_FACT_TABLE_H
#define INIT_FACT_TABLE_H

#include "init/facts.h"

enum fact_kind {
    FACT_FLAG,
    FACT_TEXT,    /* or NULL */
    FACT_NAMES,   /* a list of texts */
    FACT_COLUMNS, /* a list of names of the table's columns */
    FACT_TABLES,  /* a list of names of tables, in short `all` */
    FACT_TABLE,   /* a table's name */
    FACT_ANY,
};

/* Where a fact stands. */
struct fact_scope {
    struct arena *arena;
    struct items tables; /* dicts */
    struct value table;  /* the dict of the table that it is in */
    struct value of;     /* the dict that it is in */
};

typedef struct value fact_default(const struct fact_scope *scope);

struct fact {
    const char *name;
    enum fact_kind kind;
    fact_default *otherwise; /* what follows from the others; NULL: false, NULL, no items */
};

/* The facts of a thing, in an order in which what they follow from comes first. */
struct fact_set {
    const char *noun;       /* "column", for messages */
    const char *head;       /* the fact that stands for all where there is no other; or NULL */
    const struct fact *all; /* ends with {0} */
    const char *needs;      /* the fact that must be there; or NULL */
};

extern const struct fact_set table_facts_first; /* those that follow from no column, key or CHECK */
extern const struct fact_set column_facts_first;
extern const struct fact_set unique_facts;
extern const struct fact_set table_facts_last; /* the key */
extern const struct fact_set check_facts_of_table;
extern const struct fact_set column_facts_last; /* what follows from CHECKs */
extern const struct fact_set null_facts;        /* NOT NULL of a partition alone */
extern const struct fact_set reference_facts;
extern const struct fact_set policy_facts;

/* The names of all tables, in order: what `all` stands for where a fact is FACT_TABLES. */
struct value fact_all_tables(const struct fact_scope *scope);
/* What the fact is where nothing is said. */
struct value fact_otherwise(const struct fact *fact, const struct fact_scope *scope);
/* Whether that is what it is. */
bool fact_follows(const struct fact *fact, const struct fact_scope *scope);

#endif
