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
 */
#ifndef PG_PSQL_OUTPUT_H
#define PG_PSQL_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct psql_failure {
    const char *file; /* NULL: psql gives none */
    size_t line;   /* of the start of the statement, or the place that the server gives; from 1 */
    size_t column; /* from 1; 0: only the line is known */
    char sqlstate[6]; /* "" for an error of psql itself */
    const char *message;
    const char *detail; /* or NULL, as the next ones */
    const char *hint;
    const char *context;
};

/* Texts are in the arena. */
struct psql_failure psql_failure_read(const char *output, struct arena *arena);

#endif
