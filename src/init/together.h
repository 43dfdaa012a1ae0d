/* Tables whose rows must refer to each other from the start: rules that insert them together. */
#ifndef INIT_TOGETHER_H
#define INIT_TOGETHER_H

#include "init/facts.h"

/* Notes for each table with which others its rows must be inserted. */
void together_find(struct plan *plan);

/* Appends the rule that inserts rows of the table and of those with it, if it is the first. */
void together_add(const struct plan *plan, const struct table_plan *table, struct strbuf *out);

#endif
