/*
 * What `raises` predicts: nothing, an error, or one of several outcomes; and whether what came is
 * among them (docs/MACHINES.md, *Predict an error*).
 */
#ifndef EXAMPLE_RAISES_H
#define EXAMPLE_RAISES_H

#include "example/backend.h"

/* Texts are the value's own: they live as long as the example. */
struct predicted_error {
    const char *condition; /* name or SQLSTATE; NULL: any */
    const char *constraint;
    const char *message; /* a part of it */
    const char *table;   /* NULL, as the others: any */
};

struct prediction {
    bool may_succeed; /* None, alone or in the list */
    VEC(struct predicted_error) errors;
};

/* Reads what `raises` gave; false with err (without a position) for what is no prediction. */
bool prediction_read(struct arena *arena, struct value value, struct prediction *out,
                     struct error *err);
/* Whether the error is among the predicted ones. */
bool prediction_allows(const struct prediction *prediction, const struct server_error *error);
/* A hint where an error that is not predicted is one of another constraint; else NULL. */
const char *prediction_renamed(struct arena *arena, const struct prediction *prediction,
                               const struct server_error *error);
/* "no error", "unique_violation (23505)", "no error or P0001". */
const char *prediction_text(struct arena *arena, const struct prediction *prediction);
/* "foreign_key_violation (23503)": condition name and SQLSTATE. */
const char *error_text(struct arena *arena, const struct server_error *error);

#endif
