/* Edits of strings. */
#ifndef MUTATE_STRINGS_H
#define MUTATE_STRINGS_H

#include "mutate/body/tokens.h"

/* Adds that of the token if it is a string that is compared, stored or chosen. */
void body_strings(struct body *body, size_t index);

#endif
