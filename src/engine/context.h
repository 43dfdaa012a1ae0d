/* Contexts with their expressions evaluated, as the backend takes them. */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/backend.h"

/* Evaluates a context against a rule's or invariant's locals; texts are in `arena`. A value that
 * has no text form, claims that are no dict, a role that is no name: the machine's mistake. */
bool context_eval(struct lang_state *state, const struct context *context, struct value *locals,
                  struct arena *arena, struct backend_context *out, struct error *err);
/* The text that a setting gets: None is '', a bool as PostgreSQL writes it, a dict or list JSON. */
bool setting_text(struct value value, struct strbuf *out, struct error *err);
/* "as ann", or NULL where there is no context. */
const char *context_text(struct arena *arena, const struct context *context);

#endif
