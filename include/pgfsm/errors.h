#ifndef PGFSM_ERRORS_H
#define PGFSM_ERRORS_H

#include <stddef.h>

#include <pgfsm/export.h>

PGFSM_BEGIN

/*
 * A list of errors, because one file may contain several mistakes. A property that fails is not an
 * error but an outcome (pgfsm/run.h).
 */

enum pgfsm_error_code {
    PGFSM_ERROR_USAGE = 1,   /* a wrong call of the library, such as a setting out of range */
    PGFSM_ERROR_MACHINE,     /* a mistake in a machine, its model, its schema files, its contexts */
    PGFSM_ERROR_LIMIT,       /* a limit of the model language was exceeded */
    PGFSM_ERROR_SERVER,      /* the server answered with an error; sqlstate is set */
    PGFSM_ERROR_CONNECTION,  /* the database could not be reached, or went away */
    PGFSM_ERROR_INTERRUPTED, /* a callback asked to stop */
    PGFSM_ERROR_SYSTEM,      /* a file, a process, the disk */
};

/* Read-only; later versions may add members at the end. Texts are UTF-8, never NULL, and safe to
 * show on a terminal. */
struct pgfsm_error {
    enum pgfsm_error_code code;
    const char *sqlstate; /* "" or five characters */
    const char *file;     /* "" if the error has no place */
    size_t line;          /* from 1; 0 if the error has no place */
    size_t column;        /* from 1, in characters */
    const char *message;  /* one sentence without a full stop */
    const char *detail;   /* "" or lines: a call stack, the server's DETAIL and CONTEXT */
    const char *hint;     /* "" or what to do */
    const char *text;     /* all of it, with the line and a caret; ends with a newline */
};

struct pgfsm_errors;

/* Returns an empty list. Free it with pgfsm_errors_free. */
struct pgfsm_errors *pgfsm_errors_new(void);
/* Ignores NULL. */
void pgfsm_errors_free(struct pgfsm_errors *errors);
void pgfsm_errors_clear(struct pgfsm_errors *errors);

size_t pgfsm_errors_count(const struct pgfsm_errors *errors);
/* The error is borrowed until the list is cleared or freed. NULL past the end. */
const struct pgfsm_error *pgfsm_errors_at(const struct pgfsm_errors *errors, size_t index);

PGFSM_END

#endif
