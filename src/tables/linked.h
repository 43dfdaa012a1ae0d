/* Rows of several tables that are inserted together and refer to each other. */
#ifndef TABLES_LINKED_H
#define TABLES_LINKED_H

#include "tables/definition.h"

struct linking {
    struct arena *arena;
    const struct definition *definition;
    bool few; /* make all nullable columns NULL */
    bool all; /* fill optional foreign keys, too */
};

/* Takes a dict from tables to rows, and fills foreign keys that lack a column with the key of
 * another of these rows, or of the row itself. False with err if the argument is not such a dict.
 */
bool linked_rows(const struct linking *linking, struct value rows, struct value *out,
                 struct error *err);

#endif
