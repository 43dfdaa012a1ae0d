/* The order of simplicity of choices and traces, and a number that tells candidates apart. */
#ifndef SHRINK_ORDER_H
#define SHRINK_ORDER_H

#include "trace/trace.h"

#include <stdint.h>

/* < 0 where a is simpler. Choices of one place; of different kinds: by kind. */
int choice_compare_simplicity(const struct choice *a, const struct choice *b);
/* The same for what two steps of one rule drew. */
int step_compare_simplicity(const struct trace_step *a, const struct trace_step *b);
/* Equal for traces that would execute the same: step ids are taken as positions. */
uint64_t trace_fingerprint(const struct trace *trace);

#endif
