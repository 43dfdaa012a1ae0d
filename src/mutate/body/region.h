/*
 * Edits of an expression or of one SQL statement: the tokens [from, to).
 *
 * A *level* is what stands between two brackets, between CASE and its END, or in none of them. The
 * words and commas that can't be part of an expression cut a level into *segments*.
 */
#ifndef MUTATE_REGION_H
#define MUTATE_REGION_H

#include "mutate/body/tokens.h"

/* Does nothing where a bracket, CASE or END has no mate. */
void body_region(struct body *body, size_t from, size_t to);

#endif
