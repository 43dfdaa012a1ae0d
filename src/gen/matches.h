/* Whether what was drawn is what was wanted. */
#ifndef GEN_MATCHES_H
#define GEN_MATCHES_H

#include "value/value.h"

/* Whether the value is the wanted one: equal, and of the same type but for numbers. */
bool value_matches(struct value value, struct value wanted);
/* The same, and written in the same way: 1.00 is not 1.0. */
bool value_matches_exactly(struct value value, struct value wanted);

#endif
