/*
 * A trace as text, as in the example database.
 *
 * step 5 =upsert_member      of a session: step 5 =upsert_member 2
 *       arg
 *         ref 2 0 1            step, output, position; `ref - - 1` by position
 *         int 1 0 1 0          value, min, max, toward
 *         float 0x1p+0 -inf inf nan    value, min, max, whether NaN is allowed (nan or -)
 *         text =ab%20c 0 20 -  value, fewest and most characters, alphabet
 *         bytes =00ff 0 20     in hexadecimal
 *       item … end             a span of choices
 *     order 2 1              of the sessions, if it is not 1 2
 *     switch 5 0 1           step, statement, crossing
 *     switch 5 0 1 row 2     the same, at the second row gate after that
 *     switch 5 0 1 body 2    the same, at the second gate between statements of functions
 *     timeout 5 0 1          lock_timeout ends waits from there on
 *
 * Strings follow `=` with every byte that is not a letter, digit, `_`, `-` or `.` as %XX. Rules go
 * by name, so a trace outlives changes of the machine.
 */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include "trace/trace.h"

void trace_write(const struct machine *machine, const struct trace *trace, struct strbuf *out);

/* How to read a step that no longer fits the machine. */
enum trace_reading {
    TRACE_AS_FAR, /* leave out a step whose rule is gone; use arguments as far as possible */
    TRACE_WHOLE,  /* a missing rule, or another number of arguments, is an error */
};
/* Reads the output of trace_write, from byte `offset` of the source to its end. False with err and
 * its line. With TRACE_WHOLE, the error is ERROR_MACHINE if the machine has changed. */
bool trace_read(const struct machine *machine, const struct source *source, size_t offset,
                enum trace_reading reading, struct arena *arena, struct trace *out,
                struct error *err);

/* Strings in the form above, without the `=`. */
void text_escape(const char *data, size_t size, struct strbuf *out);
/* In `arena`; NULL if an escape is broken. *size may be NULL. */
char *text_unescape(const char *data, size_t size, struct arena *arena, size_t *out_size);

#endif
