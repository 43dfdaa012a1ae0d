/*
 * Writing to standard output and standard error.
 *
 * Reports go to standard output, everything else to standard error. If writing to standard output
 * fails (a full disk, a closed pipe), one message says so.
 */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "cli/options.h"
#include "cli/status.h"

#include <pgfsm/errors.h>

/* How the user calls the program, for command lines in messages, quoted for a shell: "pgfsm". */
extern const char *program_name;

/* Whether to write control sequences to the descriptor. WHEN_AUTO: if it is a terminal that has
 * them. */
bool terminal_wants(enum when when, int file);
/* Whether to write colours to standard output. WHEN_AUTO: only if NO_COLOR is not set
 * (https://no-color.org). */
bool terminal_color(enum when when);

/* Characters of a line: of the terminal that the descriptor is, else as COLUMNS says, else 80. */
size_t terminal_columns(int file);

/* Writes to standard output, and flushes it. What a runner of CI would obey is escaped (log.h). */
void terminal_print(const char *text, size_t size);
/* The same for commands that it is to obey: nothing is escaped. */
void terminal_print_commands(const char *text, size_t size);
/* Writes to standard error what is safe to show, as terminal_print does. */
void terminal_log(const char *text, size_t size);
/* The same for text from others (a model's print(), psql, names of files), made safe to show:
 * somebody may read a log on a terminal, too. */
void terminal_print_foreign(const char *text, size_t size);
/* Returns STATUS_OK if everything was written. Otherwise prints one message (none if the reader
 * closed the pipe) and returns STATUS_USAGE. */
enum status terminal_finish(void);
/* Whether writing to standard output has failed. */
bool terminal_broken(void);

/* Prints "pgfsm: " and a message to standard error, made safe to show. */
void terminal_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints errors in full to standard error. */
void terminal_errors(const struct pgfsm_errors *errors);
/* The exit status for the worst of the errors. */
enum status status_of_errors(const struct pgfsm_errors *errors);

#endif
