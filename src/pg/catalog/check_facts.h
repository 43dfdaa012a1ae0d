/*
 * Reads what a CHECK says about a column, from the text of pg_get_expr: comparisons with constants,
 * IN, ~ and ~*, length(), IS NOT NULL, joined by AND; also after `column IS NULL OR`; equalities
 * joined by OR. It ignores anything else.
 */
#ifndef PG_CHECK_FACTS_H
#define PG_CHECK_FACTS_H

#include "example/backend.h"

/* Adds to `column->checks`, in `arena`, or sets `column->not_null`; VALUE means the column, as in a
 * domain's CHECK. Set name, type and shape before. */
void check_facts_read(struct arena *arena, const char *text, struct column_facts *column);

#endif
