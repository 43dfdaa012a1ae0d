/*
 * Errors: what went wrong, where, and what to do about it.
 *
 * A function that can fail returns bool and takes `struct error *err` last. The struct is the
 * caller's, of fixed size, and set once, where the error arises; a caller on the way up may add
 * context (error_context) but does not replace it. Only the command line prints. That a property
 * failed is not an error but a verdict.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/source.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdbool.h>

enum error_code {
    ERROR_NONE = 0,
    ERROR_USAGE,   /* the command line, or a function called wrongly by the user */
    ERROR_MACHINE, /* a mistake in a machine, its model, its schema files or its contexts */
    /* A bound of the model language or of an answer was reached; a mistake in the machine, too. */
    ERROR_LIMIT,
    ERROR_SERVER,      /* the server answered with an error; sqlstate is set */
    ERROR_CONNECTION,  /* the database could not be reached, or went away */
    ERROR_INTERRUPTED, /* Ctrl-C */
    ERROR_SYSTEM,      /* a file, a process, the disk */
};

struct error {
    enum error_code code;
    char sqlstate[6];      /* "" or five characters, PostgreSQL manual, appendix A */
    struct source_pos pos; /* source NULL: none */
    bool missing;       /* nothing has a name that is used: one mistake, however often it is used */
    char message[1024]; /* one sentence, no full stop, no newline at the end */
    char detail[2048];  /* "" or further lines: call stack, the server's DETAIL and CONTEXT */
    char hint[512];     /* "" or what to do */
};

/* Sets the code and the message, clears the rest; texts that are too long are cut at a character's
 * boundary. Always returns false, so that `return error_set(…)` reads well. err may be NULL. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, with a position. */
bool error_at(struct error *err, enum error_code code, struct source_pos pos, const char *format,
              ...) __attribute__((format(printf, 4, 5)));
bool error_vat(struct error *err, enum error_code code, struct source_pos pos, const char *format,
               va_list args) __attribute__((format(printf, 4, 0)));
/* "can't open PATH: No such file or directory", by errno. Always returns false. */
bool error_system(struct error *err, const char *what, const char *path);
/* Sets the hint. */
void error_hint(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a line to the detail. */
void error_detail(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "context: " before the message. Always returns false. */
bool error_context(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends to `out`: `file:line:column: error: message`, the line with a caret under the place (long
 * lines are cut around it), the detail and the hint, each on lines of their own. */
void error_format(const struct error *err, struct strbuf *out);

/* Several errors, to be reported in one go; the items live in an arena. */
struct diagnostics {
    struct arena *arena;
    VEC(struct error) errors;
};

enum { DIAGNOSTICS_MAX = 100 };

/* Adds a copy; after DIAGNOSTICS_MAX the rest are counted only in `errors`' last item ("and more").
 */
void diagnostics_add(struct diagnostics *diagnostics, const struct error *err);
/* Adds one with a position; returns it, for a hint. */
struct error *diagnostics_at(struct diagnostics *diagnostics, struct source_pos pos,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Of those from index `from` on that say of one missing name the same in several places, keeps the
 * first, which gets the lines of the others as detail. */
void diagnostics_merge(struct diagnostics *diagnostics, size_t from);

/* The name among `count` that is closest to `word` by edits (insert, delete, replace, swap of
 * neighbours), at most one for every three characters of it; else the only one that begins with
 * `word`, of three characters or more; else NULL. For *did you mean*. */
const char *closest_name(const char *word, const char *const *names, size_t count);

#endif
