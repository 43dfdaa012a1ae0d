/* The entries of a table: its own, and those of the table that it lies over. Only files of this
 * module that change tables include this. */
#ifndef VALUE_ENTRIES_H
#define VALUE_ENTRIES_H

#include "value/value.h"

enum { WORD = 64 }; /* bits of table_over's `gone` */

/* The number of entries below, removed ones included, and of the table's own entries. */
size_t table_under_count(const struct table *table);
size_t table_own_count(const struct table *table);
/* Returns true if the entry is one of those below. */
bool table_is_under(const struct table *table, const struct table_entry *entry);
bool table_is_gone(const struct table_over *over, size_t index);
/* Like table_next, but only for the table's own entries. */
struct table_entry *table_next_own(const struct table *table, size_t *at);

#endif
