/*
 * The text report, for a terminal or a log.
 *
 * It has one line for a run that held, a block that fits one screen for each failure, the names of
 * what was not tested, and with `stats` tables. text.c writes the whole; this header declares its
 * parts.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "account/show.h"
#include "report/report.h"

enum paint { PAINT_NONE, PAINT_GOOD, PAINT_BAD, PAINT_WARN, PAINT_DIM };

struct text {
    const struct report_run *run;
    const struct report_options *options;
    struct strbuf *out;
    /* Gets what text_warn and text_note say, in place of `out`; NULL: nobody does. */
    void (*warned)(void *host, const char *title, const char *message);
    void *host;
    struct arena scratch;
};

/* Characters of a line, also if the terminal's width is not known. */
size_t text_width(const struct text *text);
enum { TEXT_HANG = 0 /* what goes on stands below what is behind the line's title */ };
/* Breaks the lines of `out` from `start` on at the terminal's width, if that is known: at a space
 * if there is one. What goes on is indented. */
void text_fold(struct text *text, size_t start, size_t indent);
/* Whether the failure has a block of its own: it is the first failure with its steps. */
bool text_failure_alone(const struct text *text, const struct failure *failure);
/* Writes the block of such a failure, with a line for each other failure with the same steps. */
void text_failure(struct text *text, const struct failure *failure);
/* The failure on one line, in text->scratch: its sentence (report/sentence.h). */
const char *text_summary(struct text *text, const struct failure *failure);
/* "100 examples, 4,812 steps, 0.61 s, seed 7261", in text->scratch. */
const char *text_totals(struct text *text);
/* Why the rule never ran, the invariant was never checked, the requirement is not met, in
 * text->scratch; NULL if that is not so. */
const char *text_never_ran(struct text *text, size_t rule);
const char *text_never_checked(struct text *text, size_t invariant);
const char *text_unmet(struct text *text, size_t requirement);
/* Lists what the run says nothing about, and what ran but tested little: rules that mostly fail,
 * filters that refuse, examples that ended early. */
void text_health(struct text *text);
/* Says what a run over two databases compared, and what it did not; nothing of other runs. */
void text_compared(struct text *text);
/* Of such a run, how the schemas differ, and where nothing can have shown it: next to the verdict,
 * which it qualifies. */
void text_changed(struct text *text);
/* Writes tables of rules and invariants. */
void text_stats(struct text *text);
/* The same without colours, if the report's options ask for tables, and there is a result. */
void text_stats_block(const struct report *report, const struct report_run *run,
                      struct strbuf *out);

/* Writes what became of mutants, if there are any; the block of all that survived a change of one
 * object for one cause, of which this is the first. */
void text_mutants(struct text *text);
void text_survivors(struct text *text, const struct mutant *first);
/* "schema.sql:66": the statement that creates what a mutant changes, in the arena; NULL: no file
 * has it. */
const char *text_mutant_place(const struct mutant *mutant, struct arena *arena);
/* The command that runs the mutant of that id alone, in the arena. */
const char *text_kill_command(const struct report_run *run, const char *id, struct arena *arena);
/* Says which of those that the machine accepts were killed all the same, or are gone. */
void text_accepted(struct text *text);
/* Writes the measurements: times, sizes of bundles, lengths of examples, objects of the schema that
 * the run touched. */
void text_measures(struct text *text);
/* How much had been seen after how many examples. */
void text_discovery(struct text *text);
/* Which values arguments had, if that was counted. */
void text_arguments(struct text *text);

/* paint.c */

/* Appends text in a colour, or without if colours are off. */
void text_paint(struct text *text, enum paint paint, const char *string);
/* Appends like printf, made safe to show: control characters become escapes. */
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same as a line of its own, after a title that says what kind of news it is. */
void text_warn(struct text *text, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what is no reason to worry. */
void text_note(struct text *text, const char *title, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
