/*
 * What a CHECK says of a column, read out of the text that pg_get_expr gives: comparisons with
 * constants, IN, ~ and ~*, length(), joined by AND; also behind `column IS NULL OR`. Of anything
 * else nothing is said.
 */
#ifndef PG_CHECK_FACTS_H
#define PG_CHECK_FACTS_H

#include "engine/backend.h"

/* Adds to `column->checks`, in `arena`; VALUE stands for the column, as in a domain's. */
void check_facts_read(struct arena *arena, const char *text, struct column_facts *column);

#endif
