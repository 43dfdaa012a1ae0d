/*
 * Standard output and standard error: what is written where, and whether it is a terminal.
 *
 * Reports go to standard output, everything else to standard error. That standard output takes no
 * more (a full disk, a closed pipe) is noticed and said once.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "cli/options.h"
#include "cli/status.h"

#include <pgfsm/errors.h>

/* How the program was called, for a line to be run again: "pgfsm". */
extern const char *program_name;

/* Whether to write colours to standard output: a terminal that takes them, and no NO_COLOR
 * (https://no-color.org). */
bool terminal_color(enum when when);

/* Writes to standard output at once. */
void terminal_print(const char *text, size_t size);
/* The same, made safe to show: a log is read on a terminal, too. For what others wrote: a model's
 * print(), psql, names of files. */
void terminal_print_foreign(const char *text, size_t size);
/* Whether all was written; else says so on standard error, once, but for a reader that went away.
 * STATUS_OK or STATUS_USAGE. */
enum status terminal_finish(void);
/* Whether standard output takes no more. */
bool terminal_broken(void);

/* A line on standard error, made safe to show; "pgfsm: " stands before it. */
void terminal_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Errors on standard error, in full. */
void terminal_errors(const struct pgfsm_errors *errors);
/* The exit status that the errors ask for. */
enum status status_of_errors(const struct pgfsm_errors *errors);

#endif
