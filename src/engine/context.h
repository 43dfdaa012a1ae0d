/* Contexts with their expressions evaluated, as the backend takes them. */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/backend.h"

/* Evaluates a context against a rule's or invariant's locals; texts are in `arena`. A value that
 * has no text form, claims that are no dict, a role that is no name: the machine's mistake. */
bool context_eval(struct lang_state *state, const struct context *context, struct value *locals,
                  struct arena *arena, struct backend_context *out, struct error *err);
/* "as ann", or NULL where there is no context. */
const char *context_text(struct arena *arena, const struct context *context);

#endif
