/* Edits of numbers. */
#ifndef MUTATE_NUMBERS_H
#define MUTATE_NUMBERS_H

#include "mutate/body/tokens.h"

/* Adds those of the token if it is a number, or one that the server writes as a string:
 * '-1'::integer. */
void body_numbers(struct body *body, size_t index, size_t to);

#endif
