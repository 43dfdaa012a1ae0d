/* Values written in the model language, for tests. */
#ifndef SUPPORT_EVAL_H
#define SUPPORT_EVAL_H

#include "value/value.h"

/* The value of the expression, in `arena`; a mistake in it ends the test. */
struct value test_eval(struct arena *arena, const char *expression);

#endif
