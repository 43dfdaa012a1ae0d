/* The order of simplicity of choices and traces, and a number that tells candidates apart. */
#ifndef SHRINK_ORDER_H
#define SHRINK_ORDER_H

#include "trace/trace.h"

#include <stdint.h>

/* < 0 if a is simpler. Both choices are for the same place; different kinds are ordered by kind. */
int choice_compare_simplicity(const struct choice *a, const struct choice *b);
/* The same for the choices of two steps of one rule. */
int step_compare_simplicity(const struct trace_step *a, const struct trace_step *b);
/* Equal for traces that would execute alike: step ids count as positions. */
uint64_t trace_fingerprint(const struct trace *trace);

#endif
