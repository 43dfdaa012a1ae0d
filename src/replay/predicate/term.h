/* What a check reads of an answer, as terms in SQL: behind predicate.h. */
#ifndef REPLAY_TERM_H
#define REPLAY_TERM_H

#include "replay/predicate/predicate.h"

enum term_class {
    TERM_NUMBER,
    TERM_TEXT,  /* compared code point by code point */
    TERM_OTHER, /* a type of which the model has the text */
    TERM_BOOL,
    TERM_OPAQUE, /* the model has a structure: SQL can be asked whether it is NULL */
};

/* What is written of a term. */
struct term {
    enum term_class class;
    bool filled;  /* never NULL */
    bool literal; /* a constant or a variable: takes the type of what it is compared with */
    const struct recorded_column *column; /* NULL: it is none */
};

/* A place in the answer. */
struct cell {
    size_t column;
    enum { ROW_ONLY, ROW_AT, ROW_AT_HAND } row;
    int64_t at; /* ROW_AT: from 0, or from the end: -1 is the last */
};

/* A function of bool is false where there is no such thing, or no SQL for it. */

/* Whether it is result.rows. */
bool answer_is_rows(const struct residual *residual);
/* Whether it is a row, and which; `column` is left alone. */
bool answer_find_row(const struct predicate *to, const struct residual *residual,
                     struct cell *cell);
bool answer_find_cell(const struct predicate *to, const struct residual *residual,
                      struct cell *cell);

/* " FROM answer" */
void answer_write_from(const struct predicate *to, struct strbuf *out);
/* " WHERE a AND b": the filters of a comprehension. */
bool filters_write(struct predicate *to, const struct residual *each, struct strbuf *out);

void count_write(struct predicate *to, struct strbuf *out);
void cell_write(struct predicate *to, const struct cell *cell, struct strbuf *out);
bool constant_write(struct predicate *to, struct value value, struct term *term,
                    struct strbuf *out);
bool term_write(struct predicate *to, const struct residual *residual, struct term *term,
                struct strbuf *out);

#endif
