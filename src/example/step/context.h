/* Contexts with their expressions evaluated, as the backend takes them. */
#ifndef EXAMPLE_CONTEXT_H
#define EXAMPLE_CONTEXT_H

#include "example/backend.h"

struct example;

/* A context as it was evaluated last, in the example's arena. */
struct kept_context {
    struct value *seen; /* the globals that it reads as they were then; NULL: it is not kept */
    struct backend_context context;
};

/* The context as the backend takes it; valid until the flight's arena is emptied. */
bool example_context(struct example *example, const struct context *context, struct value *locals,
                     struct backend_context *out, struct error *err);
/* The text that a setting gets: None is '', a bool as PostgreSQL writes it, a dict or list JSON. */
bool setting_text(struct value value, struct strbuf *out, struct error *err);
/* "as ann", or NULL where there is no context. */
const char *context_text(struct arena *arena, const struct context *context);

#endif
