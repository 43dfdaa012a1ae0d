/*
 * The progress line: a bar, examples, steps, time left, rules and pairs of rules; on standard
 * error, overwritten in place.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "base/strbuf.h"

#include <pgfsm/callbacks.h>

struct progress {
    bool on;
    bool shown;       /* a line is on the terminal */
    const char *name; /* of the machine */
    uint64_t next_us; /* time of the run at which to draw again */
};

/* What a bar is made of. */
enum progress_bar { PROGRESS_ASCII, PROGRESS_BLOCKS };

void progress_draw(struct progress *progress, const struct pgfsm_progress *at);
/* Erases the line. Call this before anything else writes to the terminal. */
void progress_clear(struct progress *progress);
/* Appends the line's text, of at most `width` characters: what matters least is left out. */
void progress_text(const char *name, const struct pgfsm_progress *at, enum progress_bar bar,
                   size_t width, struct strbuf *out);

#endif
