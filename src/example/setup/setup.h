/* What every example starts from: the dataset and the constant part of initialize, put in once; the
 * answers are kept, for the model's code is run over them in every example. */
#ifndef EXAMPLE_SETUP_H
#define EXAMPLE_SETUP_H

#include "example/engine.h"

struct failure;
struct observer;

/* Puts them in, and marks the place to come back to. `failure` is set where one of them failed (in
 * the example's arena); `observer` may be NULL. */
bool engine_setup(struct engine *engine, struct observer *observer, const struct failure **failure,
                  struct error *err);
/* After it, once: what could not be prepared before initialize has run; `mistakes` get what can't
 * be then either. */
bool engine_prepare(struct engine *engine, struct diagnostics *mistakes, struct error *err);
/* Begins a new outer transaction and sets it up where the backend wants that; as engine_setup. */
bool engine_refresh(struct engine *engine, const struct failure **failure, struct error *err);
/* The same on a new connection, in any case. */
bool engine_reconnect(struct engine *engine, struct observer *observer,
                      const struct failure **failure, struct error *err);

#endif
