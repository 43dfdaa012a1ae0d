/* Tables whose rows must refer to each other from the start: rules that insert them together. */
#ifndef INIT_TOGETHER_H
#define INIT_TOGETHER_H

#include "init/facts.h"

/* Finds for each table the others whose rows must be inserted with its rows. */
void together_find(struct plan *plan);

/* Appends the rule that inserts rows of the table and of the others in its group, if the table is
 * the first. */
void together_add(const struct plan *plan, const struct table_plan *table, struct strbuf *out);

#endif
