/* Evaluates contexts for the backend. */
#ifndef EXAMPLE_CONTEXT_H
#define EXAMPLE_CONTEXT_H

#include "example/backend.h"

struct example;

/* Evaluates a context (or NULL) with a rule's or invariant's locals; valid until the flight's arena
 * is emptied. It is the machine's mistake if a value has no text form, the claims are not a dict,
 * or the role is not a name. */
bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err);
/* Appends the text of a setting: None is '', bools are as in PostgreSQL, dicts and lists are JSON.
 */
bool setting_text(struct value value, struct strbuf *out, struct error *err);

#endif
