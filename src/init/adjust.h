/* Weakens a generated machine until it passes: removes a rule, allows another error, or drops a
 * comparison. It works on the text of init_write, in which a rule is a block of lines. */
#ifndef INIT_ADJUST_H
#define INIT_ADJUST_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* A failure at a line of the text, from 1. */
struct adjustment {
    size_t line;
    const char *sqlstate; /* of an error that is not predicted; "" for other failures */
    const char *why;      /* for the comment, without a full stop: the server's message */
    bool mistake;         /* the rule or invariant itself is invalid */
};

/* Changes the text, with a comment that begins "Weakened: " or "Left out: " and gives the reason.
 * Returns the first line of the changed rule or invariant; those above keep their lines. Returns 0,
 * without a change, if the line belongs to neither. */
size_t adjust_text(struct strbuf *text, const struct adjustment *adjustment);

#endif
