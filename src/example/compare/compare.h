/*
 * Whether a query returned what the model expects: the shape of `expect` says how rows are compared
 * (docs/MACHINES.md, *Predict a result*).
 *
 * Values are compared here as far as their types are decoded; where only the server can tell
 * (another text form of the same timestamp, citext), it is asked, in batches, and only about what
 * is left over. Everything is in the arena given. That an expected value can't stand for rows at
 * all (a bare dict for one column) is the machine's mistake: false, with a way to write it.
 */
#ifndef EXAMPLE_COMPARE_H
#define EXAMPLE_COMPARE_H

#include "example/failure/failure.h"

enum { DIFFERENCES_MAX = 20 };

struct comparing {
    struct backend *backend;
    struct arena *arena;
    const struct snippet *sql; /* of the query, for hints; NULL: not known */
};

struct comparison {
    bool equal;
    /* The rest is set where it is not: as in struct failure. */
    const char *expected;
    const char *actual;
    const char *hint; /* or NULL */
    const struct answer_column *columns;
    size_t column_count;
    VEC(struct difference) differences;
    size_t difference_count;
};

bool compare_answer(const struct comparing *comparing, struct value expected,
                    const struct answer *answer, struct comparison *out, struct error *err);
/* The same where the query must return no row. */
void compare_no_rows(const struct comparing *comparing, const struct answer *answer,
                     struct comparison *out);

/* compare_collections.c: two lists, tuples, sets, bags or dicts of the model. Any others count as
 * equal: there is nothing to tell of them but themselves. */
void compare_collections(const struct comparing *comparing, struct value expected,
                         struct value actual, struct comparison *out);

/* The stages, each in a file of its own. */

/* compare_cell.c: one value. CELL_ASK: only the server can tell. */
enum cell_verdict { CELL_EQUAL, CELL_DIFFERENT, CELL_ASK };
enum cell_verdict compare_cell(const struct answer_column *column, struct value expected,
                               struct value actual);
/* A list or a tuple: each stands for an array. */
bool compare_is_sequence(struct value value);

/* compare_shape.c: what the model expects, as rows of the query's columns. */
enum shape {
    SHAPE_ONE,       /* exactly one row */
    SHAPE_LIST,      /* in that order */
    SHAPE_UNORDERED, /* a set or a bag */
    SHAPE_DICT,      /* unordered, the first `key_columns` are a key */
};
struct expected_rows {
    enum shape shape;
    bool set; /* SHAPE_UNORDERED: out of a set, so that no row may come twice */
    size_t columns;
    size_t count;
    struct value *cells; /* count × columns */
    struct value *items; /* as the model wrote them; (key, value) of a dict */
    size_t key_columns;
    bool *left_out; /* the columns that are `_` in each row; NULL: there are no rows */
};
bool expected_rows_of(struct arena *arena, struct value expected, const struct answer *answer,
                      struct expected_rows *out, struct error *err);

/* compare_match.c: which rows correspond. SIZE_MAX: none. */
struct matching {
    size_t *of_expected; /* row of the answer that stands for expected row i */
    size_t *of_actual;   /* expected row that answer row i stands for */
    size_t matched;
};
/* In place: row i with row i. */
bool match_in_order(const struct comparing *comparing, const struct expected_rows *expected,
                    const struct answer *answer, struct matching *out, struct error *err);
/* In any order, each row at most once. */
bool match_unordered(const struct comparing *comparing, const struct expected_rows *expected,
                     const struct answer *answer, struct matching *out, struct error *err);

/* compare_report.c: the differences and hints of a comparison that failed. */
void compare_report(const struct comparing *comparing, struct value expected,
                    const struct expected_rows *rows, const struct answer *answer,
                    const struct matching *matching, struct comparison *out);
/* "no rows", "1 row", "3 rows". */
const char *rows_text(struct arena *arena, size_t count);

/* compare_align.c: an expected array, record or document as the other side writes it: dicts in its
 * order, what is equal by its text. Where the texts part, the values do. */
struct value compare_align(struct arena *arena, const struct answer_column *column,
                           struct value expected, struct value actual);

/* compare_pair.c: which of the rows that are left over are one row that was changed. */
struct leftover {
    size_t row;
    const struct value *cells;
    size_t columns;
    size_t other; /* place in the other list of the row that it is paired with; SIZE_MAX: none */
};
struct leftovers {
    struct leftover *items;
    size_t count;
};
void compare_pair(struct arena *arena, const struct expected_rows *rows,
                  const struct answer *answer, struct leftovers *missing,
                  struct leftovers *unexpected);

/* compare_alike.c: what makes two values different that look alike, in the arena; NULL: they do not
 * look alike. */
const char *compare_alike(struct arena *arena, const struct answer_column *column,
                          struct value expected, struct value actual);

#endif
