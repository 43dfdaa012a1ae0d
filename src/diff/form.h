/* The form of a value: what a client sees of it and equality ignores. That is the number of digits
 * behind the point of a numeric, the sign of a float that is zero, and in JSON the order of the
 * keys and whether one stands twice. */
#ifndef DIFF_FORM_H
#define DIFF_FORM_H

#include "value/value.h"

/* Equal for equal forms. Of a dict, keys with digits count as any: each server may have made them.
 */
uint64_t value_form(struct value value);
/* Returns true if it was made from JSON in which a key stands twice. */
bool value_form_repeats(struct value value);

#endif
