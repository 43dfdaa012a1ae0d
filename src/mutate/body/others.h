/* Names that can be mistaken for others: columns of a table, and parameters, of the same type. */
#ifndef MUTATE_OTHERS_H
#define MUTATE_OTHERS_H

#include "mutate/body/tokens.h"

void body_others(struct body *body, size_t index);

#endif
