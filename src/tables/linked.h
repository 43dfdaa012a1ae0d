/* Rows of several tables that are inserted together, and refer to each other. */
#ifndef TABLES_LINKED_H
#define TABLES_LINKED_H

#include "tables/definition.h"

struct linking {
    struct arena *arena;
    const struct definition *definition;
    bool few; /* what may be NULL is NULL */
    bool all; /* foreign keys are filled that the rows could do without */
};

/* Of a dict from tables to rows, the same with foreign keys from one of the rows to another, or to
 * itself: those of which a row lacks a column. False with err if it is no such dict. */
bool linked_rows(const struct linking *linking, struct value rows, struct value *out,
                 struct error *err);

#endif
