/*
 * The prediction of `raises`: no error, an error, or one of several outcomes; compared with what
 * happened (docs/MACHINES.md, *Predict an error*).
 */
#ifndef EXAMPLE_RAISES_H
#define EXAMPLE_RAISES_H

#include "example/backend.h"

/* Texts are borrowed from the value, and live as long as the example. */
struct predicted_error {
    const char *condition; /* name or SQLSTATE; NULL for any */
    const char *constraint;
    const char *message; /* a part of it */
    const char *table;   /* like the others, NULL for any */
    /* Any that says nothing about a migration before it: not one of a program that no longer fits
     * the schema. */
    bool fits;
    /* Without the migration, the same rule has worked: also one that was raised in a function. */
    bool worked;
};

struct prediction {
    bool may_succeed; /* the prediction is None, or has it in its list */
    VEC(struct predicted_error) errors;
};

/* Reads the value of `raises`; false with err (without a position) if it is not a prediction. */
bool prediction_read(struct arena *arena, struct value value, struct prediction *out,
                     struct error *err);
/* Returns true if the error is among the predicted ones. */
bool prediction_allows(const struct prediction *prediction, const struct server_error *error);
/* A hint if the error was predicted for another constraint; otherwise NULL. */
const char *prediction_renamed(struct arena *arena, const struct prediction *prediction,
                               const struct server_error *error);
/* "no error", "unique_violation (23505)", "no error or P0001". */
const char *prediction_text(struct arena *arena, const struct prediction *prediction);
/* "foreign_key_violation (23503)": condition name and SQLSTATE. */
const char *error_text(struct arena *arena, const struct server_error *error);

#endif
