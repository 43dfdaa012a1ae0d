/* Edits that a token and its neighbours decide. */
#ifndef MUTATE_SWAPS_H
#define MUTATE_SWAPS_H

#include "mutate/body/tokens.h"

/* Adds those at the token; [from, to) is the expression or statement that it stands in. */
void body_swaps(struct body *body, size_t index, size_t to);

#endif
