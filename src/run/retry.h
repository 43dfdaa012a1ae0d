/* Running an example so that a lost connection is put down to the step that lost it. */
#ifndef RUN_RETRY_H
#define RUN_RETRY_H

#include "example/example.h"

/* As example_run. While running ahead, a connection that ends may take along answers that were
 * there already: what failed is then what fails when the example is run once more, step by step on
 * a new connection. Where there is none, or nothing fails, what failed is the step whose answer was
 * awaited. */
bool run_with_retry(struct engine *engine, const struct example_plan *plan,
                    struct example_result *result, struct error *err);

#endif
