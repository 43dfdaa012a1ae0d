/*
 * Errors: what went wrong, where, and what to do about it.
 *
 * A function that can fail returns bool and takes `struct error *err` last. The struct is the
 * caller's, of fixed size, and set once, where the error arises; a caller on the way up may add
 * context (error_context) but does not replace it. Only the command line prints. A property that
 * fails is not an error but a verdict.
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
    ERROR_USAGE,   /* a wrong command line, or a wrong call by the user */
    ERROR_MACHINE, /* a mistake in a machine, its model, its schema files or its contexts */
    /* A limit of the model language or of an answer was exceeded: also a mistake in the machine. */
    ERROR_LIMIT,
    ERROR_SERVER,      /* the server answered with an error; sqlstate is set */
    ERROR_CONNECTION,  /* the database could not be reached, or went away */
    ERROR_INTERRUPTED, /* Ctrl-C */
    ERROR_SYSTEM,      /* a file, a process, the disk */
};

struct error {
    enum error_code code;
    char sqlstate[6];      /* "" or five characters, PostgreSQL manual, appendix A */
    struct source_pos pos; /* pos.source is NULL if the error has no position */
    bool missing;       /* an unknown name, which counts as one mistake however often it is used */
    bool too_large;     /* ERROR_LIMIT: one example holds no more; another one may not need to */
    char message[1024]; /* one sentence, no full stop, no newline at the end */
    char detail[2048];  /* "" or further lines: call stack, the server's DETAIL and CONTEXT */
    char hint[512];     /* "" or what to do */
};

/* Sets the code and the message, and clears the rest. Cuts texts that are too long at a character's
 * boundary. Always returns false, so that callers can write `return error_set(…)`. err may be
 * NULL. */
bool error_set(struct error *err, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, with a position. */
bool error_at(struct error *err, enum error_code code, struct source_pos pos, const char *format,
              ...) __attribute__((format(printf, 4, 5)));
bool error_vat(struct error *err, enum error_code code, struct source_pos pos, const char *format,
               va_list args) __attribute__((format(printf, 4, 0)));
/* "can't open PATH: No such file or directory", by errno. Always returns false. */
bool error_system(struct error *err, const char *what, const char *path);
/* Sets the hint. Always returns false. */
bool error_hint(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a line to the detail. */
void error_detail(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "context: " before the message. Always returns false. */
bool error_context(struct error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the place, `file:line:column: `, if the error has one. */
void error_place(const struct error *err, struct strbuf *out);
/* Appends to `out`, each on its own lines: `file:line:column: error: message` (`severity` may be
 * `warning`), the source line with a caret under the place (long lines are cut around it), the
 * detail and the hint. */
void error_format(const struct error *err, struct strbuf *out);
void error_format_as(const struct error *err, const char *severity, struct strbuf *out);

/* A list of errors, to report together; the items live in an arena. */
struct diagnostics {
    struct arena *arena;
    VEC(struct error) errors;
};

enum { DIAGNOSTICS_MAX = 100 };

/* Adds a copy. After DIAGNOSTICS_MAX errors, the last item says only that there are more. */
void diagnostics_add(struct diagnostics *diagnostics, const struct error *err);
/* Adds one with a position; returns it, for a hint. */
struct error *diagnostics_at(struct diagnostics *diagnostics, struct source_pos pos,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Merges errors from index `from` on that report the same missing name: keeps the first, and adds
 * the lines of the others to its detail. */
void diagnostics_merge(struct diagnostics *diagnostics, size_t from);

/* Finds a name for *did you mean*: the name among `count` with the fewest edits to `word` (insert,
 * delete, replace, swap of neighbours), at most one for every three characters. If no name is that
 * close and exactly one begins with `word`, of at least three characters, returns that one.
 * Otherwise NULL. */
const char *closest_name(const char *word, const char *const *names, size_t count);
/* The same among structs of `size` bytes that begin with their names. */
const char *closest_of(const char *word, const void *items, size_t count, size_t size);

#endif
