/* The state that every example starts from: the dataset and the constant part of initialize run
 * once. Their answers are kept, because the model's code runs over them in every example. */
#ifndef EXAMPLE_SETUP_H
#define EXAMPLE_SETUP_H

#include "example/engine.h"

struct failure;
struct observer;

/* Runs both, and sets the mark to which examples return. `failure` is set (in the example's arena)
 * if one of them failed; `observer` may be NULL. */
bool engine_setup(struct engine *engine, struct observer *observer, const struct failure **failure,
                  struct error *err);
/* After it, once: prepares the statements that could not be prepared before initialize. `mistakes`
 * gets those that still can't be. */
bool engine_prepare(struct engine *engine, struct diagnostics *mistakes, struct error *err);
/* If the backend wants it, begins a new outer transaction and sets it up, like engine_setup. */
bool engine_refresh(struct engine *engine, const struct failure **failure, struct error *err);
/* The same, but always, and on a new connection. */
bool engine_reconnect(struct engine *engine, struct observer *observer,
                      const struct failure **failure, struct error *err);

#endif
