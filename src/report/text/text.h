/*
 * The text report: for a person at a terminal, and for a log.
 *
 * One line for a run that held; a block that fits one screen for each failure; what was not tested,
 * by name; a table of rules under `stats`. text.c writes the whole; this header has its parts.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report/report.h"

enum paint { PAINT_GOOD, PAINT_BAD, PAINT_WARN, PAINT_DIM };

/* What every part of the report needs. */
struct text {
    const struct report_run *run;
    const struct report_options *options;
    struct strbuf *out;
    struct arena scratch;
};

/* Whether the failure has a block of its own: it is the first of those with its steps. */
bool text_failure_alone(const struct text *text, const struct failure *failure);
/* The block of such a failure, with a line for each other one that has the same steps. */
void text_failure(struct text *text, const struct failure *failure);
/* What ran, but tested little: errors mostly, filters that refuse, examples that ended early. */
void text_health(struct text *text);
/* Tables of rules and invariants. */
void text_stats(struct text *text);

/* What was measured: times, sizes of bundles, lengths of examples, and what of the schema the run
 * touched. */
void text_measures(struct text *text);

/* blocked.c */

/* Appends "precondition false (12), bundle empty (3)": what kept a rule from being chosen. */
void text_add_blocked(struct strbuf *out, const struct rule_stats *stats);
/* The same of what kept it back where no rule could run. */
void text_add_dead_ends(struct strbuf *out, const struct rule_stats *stats);

/* paint.c */

/* Appends text in a colour, or plainly where colours are off. */
void text_paint(struct text *text, enum paint paint, const char *string);
/* printf, made safe to show: control characters become escapes. */
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
