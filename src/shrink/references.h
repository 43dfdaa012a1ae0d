/* Which steps of a trace refer to the values of which others. */
#ifndef SHRINK_REFERENCES_H
#define SHRINK_REFERENCES_H

#include "trace/trace.h"

#define NO_STEP SIZE_MAX

/* Whether the step refers to a value of the step with this id. */
bool step_refers_to(const struct trace_step *step, uint32_t id);
/* Index of the step that gave what the choice stands for; NO_STEP: none, or it is no reference. */
size_t reference_giver(const struct trace *trace, const struct choice *choice);
/* By step: a later one refers to it. */
const bool *reference_givers(const struct trace *trace, struct arena *arena);
/* What made the value: values made alike are taken to be of one collection. By position: the
 * collection. */
size_t reference_maker(const struct trace *trace, const struct reference *reference);

#endif
