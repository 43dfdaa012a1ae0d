/*
 * What a CHECK says of a column, read out of the text that pg_get_expr gives: comparisons with
 * constants, IN, ~ and ~*, length(), IS NOT NULL, joined by AND; also behind `column IS NULL OR`;
 * equalities joined by OR. Of anything else nothing is said.
 */
#ifndef PG_CHECK_FACTS_H
#define PG_CHECK_FACTS_H

#include "example/backend.h"

/* Adds to `column->checks`, in `arena`, or sets `column->not_null`; VALUE stands for the column, as
 * in a domain's. Name, type and shape are set before. */
void check_facts_read(struct arena *arena, const char *text, struct column_facts *column);

#endif
