/* Runs an example so that a lost connection is attributed to the step that lost it. */
#ifndef RUN_RETRY_H
#define RUN_RETRY_H

#include "example/example.h"

/* Like example_run. In a pipeline, a connection that closes can lose answers that the server had
 * sent. The example therefore runs again, step by step on a new connection, and the step that fails
 * there is reported. If there is no new connection, or all steps pass, the step whose answer was
 * awaited is reported. The example's counts have its failure if a mark makes that known. */
bool run_with_retry(struct engine *engine, const struct example_plan *plan,
                    struct example_result *result, struct error *err);

#endif
