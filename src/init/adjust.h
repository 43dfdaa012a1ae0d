/* Takes a made machine back to what holds: leaves out a rule, lets it raise one error more, does
 * not compare. It works on the text that init_write makes, where a rule is a block of lines. */
#ifndef INIT_ADJUST_H
#define INIT_ADJUST_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* What does not hold, at a line of the text, from 1. */
struct adjustment {
    size_t line;
    const char *sqlstate; /* of an error that nothing predicts; "" for anything else */
    const char *why;      /* for the comment, without a full stop: what the server said */
    bool mistake;         /* the rule or invariant can't be used at all */
};

/* Changes the text, with a comment that begins "Weakened: " or "Left out: " and says why. Returns
 * the line at which the changed rule or invariant begins; those above it stay where they are. 0:
 * the line belongs to none, and nothing is changed. */
size_t adjust_text(struct strbuf *text, const struct adjustment *adjustment);

#endif
