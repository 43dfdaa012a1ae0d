/*
 * Compares a query's result with the model's expectation. The shape of `expect` decides how rows
 * are compared (docs/MACHINES.md, *Predict a result*).
 *
 * Values of decoded types are compared here. If only the server can decide (another text form of
 * the same timestamp, citext), it is asked, in batches, about the rows that are left. Everything is
 * in the given arena. An expected value that can't stand for rows (a bare dict for one column) is
 * the machine's mistake: returns false, with a way to write it.
 */
#ifndef EXAMPLE_COMPARE_H
#define EXAMPLE_COMPARE_H

#include "example/failure/failure.h"

enum { DIFFERENCES_MAX = 20 };

struct comparing {
    struct backend *backend;
    struct arena *arena;
    const struct snippet *sql; /* of the query, for hints; NULL if unknown */
};

struct comparison {
    bool equal;
    /* The rest is set if they differ, as in struct failure. */
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
/* The same for a query that must return no row. */
void compare_no_rows(const struct comparing *comparing, const struct answer *answer,
                     struct comparison *out);

/* compare_collections.c: compares two lists, tuples, sets, bags or dicts of the model. Other values
 * count as equal, because there are no differences to show. */
void compare_collections(const struct comparing *comparing, struct value expected,
                         struct value actual, struct comparison *out);

/* The stages, each in a file of its own. */

/* compare_cell.c: one value. CELL_ASK: only the server can decide. */
enum cell_verdict { CELL_EQUAL, CELL_DIFFERENT, CELL_ASK };
enum cell_verdict compare_cell(const struct answer_column *column, struct value expected,
                               struct value actual);
/* Returns true for a list or a tuple; both stand for an array. */
bool compare_is_sequence(struct value value);

/* compare_shape.c: the expected value as rows of the query's columns. */
enum shape {
    SHAPE_ONE,       /* exactly one row */
    SHAPE_LIST,      /* in that order */
    SHAPE_UNORDERED, /* a set or a bag */
    SHAPE_DICT,      /* unordered, the first `key_columns` are a key */
};
struct expected_rows {
    enum shape shape;
    bool set; /* SHAPE_UNORDERED: from a set, so that rows are distinct */
    size_t columns;
    size_t count;
    struct value *cells; /* count × columns */
    struct value *items; /* the model's values; (key, value) of a dict */
    size_t key_columns;
    bool *left_out; /* the columns that are `_` in each row; NULL if there are no rows */
};
bool expected_rows_of(struct arena *arena, struct value expected, const struct answer *answer,
                      struct expected_rows *out, struct error *err);

/* compare_match.c: pairs of corresponding rows. SIZE_MAX: none. */
struct matching {
    size_t *of_expected; /* row of the answer that matches expected row i */
    size_t *of_actual;   /* expected row that matches answer row i */
    size_t matched;
};
/* Matches row i with row i. */
bool match_in_order(const struct comparing *comparing, const struct expected_rows *expected,
                    const struct answer *answer, struct matching *out, struct error *err);
/* Matches rows in any order, each at most once. */
bool match_unordered(const struct comparing *comparing, const struct expected_rows *expected,
                     const struct answer *answer, struct matching *out, struct error *err);

/* compare_report.c: the differences and hints of a failed comparison. */
void compare_report(const struct comparing *comparing, struct value expected,
                    const struct expected_rows *rows, const struct answer *answer,
                    const struct matching *matching, struct comparison *out);
/* "no rows", "1 row", "3 rows". */
const char *rows_text(struct arena *arena, size_t count);

/* compare_align.c: writes an expected array, record or document like the actual one: dicts in its
 * order, equal parts with its text. The texts then differ only where the values do. */
struct value compare_align(struct arena *arena, const struct answer_column *column,
                           struct value expected, struct value actual);

/* compare_pair.c: pairs unmatched rows that are one changed row. */
struct unmatched_row {
    size_t row;
    const struct value *cells;
    size_t columns;
    size_t other; /* place of its partner in the other list; SIZE_MAX if it has none */
};
struct unmatched_rows {
    struct unmatched_row *items;
    size_t count;
};
void compare_pair(struct arena *arena, const struct expected_rows *rows,
                  const struct answer *answer, struct unmatched_rows *missing,
                  struct unmatched_rows *unexpected);

/* compare_alike.c: explains the difference of two values that look alike, in the arena; NULL if
 * they do not look alike. */
const char *compare_alike(struct arena *arena, const struct answer_column *column,
                          struct value expected, struct value actual);

#endif
