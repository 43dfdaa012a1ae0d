/* Queries of several rows, of which only the first one is left. */
#ifndef MUTATE_ROWS_H
#define MUTATE_ROWS_H

#include "mutate/body/tokens.h"

/* The tokens [from, to) are all that stands there; nothing is done if they are no query, or one of
 * a single row. */
void body_rows(struct body *body, size_t from, size_t to);

#endif
