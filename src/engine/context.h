/* Contexts with their expressions evaluated, as the backend takes them. */
#ifndef ENGINE_CONTEXT_H
#define ENGINE_CONTEXT_H

#include "engine/backend.h"

/* The text that a setting gets: None is '', a bool as PostgreSQL writes it, a dict or list JSON. */
bool setting_text(struct value value, struct strbuf *out, struct error *err);
/* "as ann", or NULL where there is no context. */
const char *context_text(struct arena *arena, const struct context *context);

#endif
