/*
 * Parses psql's output when a script fails.
 *
 * psql runs with --echo-errors, VERBOSITY=verbose and LC_ALL=C. Then it ends with
 *
 * psql:FILE:LINE: ERROR:  SQLSTATE: message LINE n: the line of the statement where the server
 * points, and below it a caret DETAIL:  … HINT:  … CONTEXT:  … LOCATION:  … psql:FILE:LINE:
 * STATEMENT:  the statement
 *
 * where LINE is the one on which the statement ends. The severity is in the server's language.
 *
 * psql leaves empty lines out of a statement, unless they are in quotes. So only the file's text
 * tells on which line the statement, or a line of it, begins.
 *
 * What psql sends itself (-c, and the COMMIT of -1) has no "psql:FILE:LINE: " before its error.
 */
#ifndef PG_PSQL_OUTPUT_H
#define PG_PSQL_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct psql_failure {
    const char *file;      /* NULL: psql gives none */
    size_t line;           /* where psql was: the end of the statement, if there is one; from 1 */
    size_t column;         /* from 1; 0: only the line is known */
    const char *statement; /* as psql sent it; NULL: it failed itself */
    size_t inside;         /* the line of the statement that the server points at; from 1 */
    char sqlstate[6];      /* "" for an error of psql itself */
    const char *message;
    const char *detail; /* or NULL, as the next ones */
    const char *hint;
    const char *context;
    const char *before; /* the last lines that psql, and commands that it ran, said before it */
};

/* Texts are in the arena. */
struct psql_failure psql_failure_read(const char *output, struct arena *arena);

/* The line of the file, from 1, that the failure is about. `text` is the file's. */
size_t psql_failure_line(const struct psql_failure *failure, const char *text);

/* The last lines of what psql said, without those that name a place in the server's own source;
 * NULL: there are none. */
const char *psql_words(const char *output, size_t size, struct arena *arena);

#endif
