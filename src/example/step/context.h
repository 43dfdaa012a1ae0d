/* Contexts with their expressions evaluated, as the backend takes them. */
#ifndef EXAMPLE_CONTEXT_H
#define EXAMPLE_CONTEXT_H

#include "example/backend.h"

struct example;

/* Evaluates a context (NULL: none) against a rule's or invariant's locals; valid until the flight's
 * arena is emptied. A value that has no text form, claims that are no dict, a role that is no name:
 * the machine's mistake. */
bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err);
/* The text that a setting gets: None is '', a bool as PostgreSQL writes it, a dict or list JSON. */
bool setting_text(struct value value, struct strbuf *out, struct error *err);

#endif
