/* Runs and traces as text, to compare them as a whole. */
#ifndef SUPPORT_DESCRIBE_H
#define SUPPORT_DESCRIBE_H

#include "run/run.h"

/* Everything except times: outcome, failures with their steps, all counts. */
void describe_result(const struct machine *machine, const struct run_result *result,
                     struct strbuf *out);
void describe_failure(const struct failure *failure, struct strbuf *out);
/* "open; pay 0 3; …": rules with the values of their choices. */
void describe_trace(const struct machine *machine, const struct trace *trace, struct strbuf *out);

#endif
