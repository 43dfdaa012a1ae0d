/* Edits of conditions as a whole, and of what something joins. */
#ifndef MUTATE_CONDITIONS_H
#define MUTATE_CONDITIONS_H

#include "mutate/body/tokens.h"

enum body_always { BODY_ALWAYS_TRUE = 1, BODY_ALWAYS_FALSE = 2 };

/* Makes the condition [from, to) always true, always false or both, unless it is a constant. */
void body_condition(struct body *body, size_t from, size_t to, unsigned always);
/* Leaves out each operand of the AND and OR in the expression [from, to), outside of brackets. */
void body_operands(struct body *body, size_t from, size_t to);
/* Leaves out each of several items in [from, to), which commas separate. */
void body_items(struct body *body, size_t from, size_t to);
/* Leaves out each of several assignments of UPDATE in [from, to), which commas separate. */
void body_columns(struct body *body, size_t from, size_t to);
/* Whether there is AND or OR in the expression, if parentheses around the whole are taken off. */
bool body_has_operands(const struct body *body, size_t from, size_t to);

#endif
