/* The rules of a made machine: for each table insert, repeat, update, delete. */
#ifndef INIT_RULES_H
#define INIT_RULES_H

#include "init/facts.h"

/* Appends the rules of the table, indented. */
void rules_add(const struct plan *plan, const struct table_plan *table, struct strbuf *out);

#endif
