/* A check of the model's language as a condition in SQL: for check.c. */
#ifndef REPLAY_PREDICATE_H
#define REPLAY_PREDICATE_H

#include "lang/eval/residual.h"
#include "replay/script.h"

enum predicate_form {
    PREDICATE_ANY,   /* stands for itself: what it needs it selects from the answer */
    PREDICATE_ROW,   /* for the answer's one row: its columns by name */
    PREDICATE_COUNT, /* with count(*) of the answer */
};

struct predicate {
    struct script *script; /* its variables and its arena are used */
    const struct recorded_statement *statement;
    const char *const *columns; /* of the answer */
    const char *answer;         /* the WITH query */
    enum predicate_form form;   /* set by predicate_write */
    /* While it is written: what writes a part of it or, `negated`, that the part does not hold (a
     * term has filters, which are conditions); the comprehension around; what has been met. */
    bool (*condition)(struct predicate *to, const struct residual *residual, bool negated,
                      struct strbuf *out);
    const struct residual *each;
    bool counts; /* the number of rows */
    bool only;   /* the one row's columns */
    bool others;
    bool nullable; /* it may be NULL, which is to be taken for false */
};

/* Appends the condition; NULL of it is false. False, and nothing is appended: it has no such form.
 * Where the statement returns no rows the number of those that it changed is in :affected. */
bool predicate_write(struct predicate *to, const struct residual *residual, struct strbuf *out);
#endif
