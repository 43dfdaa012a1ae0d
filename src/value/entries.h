/* What a table holds: its own entries, and those of the table that it lies over. For the files of
 * this module that change tables. */
#ifndef VALUE_ENTRIES_H
#define VALUE_ENTRIES_H

#include "value/value.h"

enum { WORD = 64 }; /* bits of table_over's `gone` */

/* The entries below, gone ones included; those that are its own. */
size_t table_under_count(const struct table *table);
size_t table_own_count(const struct table *table);
/* Whether the entry is one of those below. */
bool table_is_under(const struct table *table, const struct table_entry *entry);
bool table_is_gone(const struct table_over *over, size_t index);
/* As table_next, among its own entries. */
struct table_entry *table_next_own(const struct table *table, size_t *at);

#endif
