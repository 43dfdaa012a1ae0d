/*
 * The account of a failure: what happened, step by step, when its trace ran once more to be told.
 *
 * It is pure data. All texts are valid UTF-8 that is safe to show; ids of the database appear by
 * their names in the example, and what is long is cut, with a word on its length. Reports
 * and the page write failures from it. A text is NULL if there is nothing to say.
 */
#ifndef ACCOUNT_ACCOUNT_H
#define ACCOUNT_ACCOUNT_H

#include "account/show.h"
#include "example/observer.h"

enum {
    ACCOUNT_VALUE = 240,  /* characters of a value */
    ACCOUNT_MODEL = 1200, /* of a variable of the model */
    ACCOUNT_TEXT = 2000,  /* of a text of the server, of a statement */
    ACCOUNT_ROWS = 40,    /* rows of an answer, of a table */
    ACCOUNT_LINES = 60,   /* of a statement that failed */
};

struct account_pair {
    const char *name;
    const char *value;
};
struct account_pairs {
    VEC(struct account_pair) items;
};

struct account_error {
    const char *sqlstate; /* NULL: there is no error */
    const char *condition;
    const char *message, *detail, *hint, *table, *column, *type, *constraint, *context;
};

/* A value of a row; NULL in the list of cells is no value. */
struct account_cell {
    const char *text;
    const char *name; /* of the bundle's value that it is */
    bool maybe;       /* or that it only equals */
    bool differs;     /* from what the other side has in this column */
};

struct account_columns {
    const char *const *names;
    size_t count;
};

/* What did not hold: the property, what the model says, what the database says. */
struct account_row_difference {
    enum difference_kind kind;
    int64_t place; /* row from 1 where order counts; 0: it does not */
    const struct account_cell *expected;
    const struct account_cell *actual;
};
struct account_difference {
    enum failure_kind kind;
    const char *invariant, *rule;
    size_t step;
    const char *sql;
    const char *context; /* "as ann" */
    struct account_pairs fors, settings;
    const char *expected, *actual, *check, *left, *right, *returned, *hint;
    struct account_error error;
    /* FAILURE_DIFFERS: `expected` and the like are of the first database, before, `actual` and the
     * like of the second one, after. */
    const char *differs; /* the name of the divergence's kind; else NULL */
    const char *place;   /* "table public.orders", if no step asked */
    struct account_error error_before, error_after;
    struct account_columns columns;
    VEC(struct account_row_difference) rows; /* the first ones */
    size_t row_count;                        /* of all */
};
struct account_difference account_difference(struct arena *arena, const struct show_names *names,
                                             const struct failure *failure);

struct account_answer {
    bool given; /* the statement was run */
    struct account_error error;
    const char *command; /* "INSERT 0 1"; NULL: it gave rows, or an error */
    struct account_columns columns;
    VEC(const struct account_cell *) rows; /* at most ACCOUNT_ROWS */
    size_t row_count;
};

/* A piece of SQL, or a parameter in it with the value that was sent. */
struct account_piece {
    const char *text;  /* of a parameter its name */
    const char *value; /* as SQL would have it; NULL: this is SQL */
    const char *name;  /* of the value in the example */
};
struct account_statement {
    bool deferred;     /* no statement: what a commit would say */
    const char *added; /* by us: `added` of struct sql_template; or NULL */
    VEC(struct account_piece) pieces;
    const char *actor; /* the machine's name for who runs it */
    const char *role, *session_user;
    struct account_pairs settings;
    struct account_answer answer;
    const struct account_answer *after; /* of the second database; NULL: there is one */
    bool differs;                       /* these two do */
};
struct account_statements {
    VEC(struct account_statement) items;
};

/* A variable of the model that a step changed. */
struct account_change {
    const char *variable;
    const char *before; /* NULL: it had no value */
    const char *after;
};

/* A row of a table as it was, if it was there, and as it is, if it still is. */
struct account_table_row {
    const struct account_cell *before;
    const struct account_cell *after;
    size_t since; /* of `before`: the step that made it like that; 0: it was there at the start */
};

/* A table that a step wrote to, whoever did: also triggers and cascades. At the start: that has
 * rows. */
struct account_table {
    const char *name; /* "public.jobs" */
    struct account_columns columns;
    VEC(size_t) key;                    /* of these, by number; none: there is no primary key */
    VEC(struct account_table_row) rows; /* at most ACCOUNT_ROWS */
    size_t more;                        /* beyond them */
    const char *why_not;                /* its rows can't be shown */
};

struct account_tables {
    VEC(struct account_table) items;
};

/* An invariant that was checked after a step, for one combination of its `for` values. */
struct account_check {
    const char *invariant;
    const char *fors; /* "actor=users_1, day=3" */
    bool wanted;      /* it is the one of the failure */
    const char *expected;
    struct account_statements statements;
    VEC(struct account_difference) differences; /* none: it holds */
};

struct account_step {
    size_t number; /* from 1; 0: of initialize */
    bool start;    /* no step: what was there before the first one */
    bool brief;    /* its details were left out, as there was too much to tell */
    const char *rule, *call;
    const char *raised; /* the condition, if an error came */
    const char *answer; /* in short: "INSERT 0 1", "2 rows", a value */
    /* If two databases answer a statement differently, what the second one does there: "raises
     * check_violation", or its answer in short. `answer` is then the first one's, in the same
     * form. */
    const char *after;
    VEC(const char *) made;
    struct account_statements statements;
    VEC(struct account_change) model;
    struct account_tables tables;
    VEC(struct account_check) checks; /* those that do not hold, and the failure's */
    size_t held;                      /* others, that hold */
};

/* The line of the machine that the database contradicts. */
struct account_source {
    const char *file; /* NULL: it is not known */
    size_t line;
    const char *text;
    struct account_pairs names; /* that it reads, with their values */
};

struct account {
    VEC(struct account_step) steps;
    const struct account_difference *end; /* what ended the example; NULL: nothing did */
    struct account_source source;
    const struct failure *failure;      /* as it came out in this run */
    const char *no_tables;              /* why no table could be read */
    VEC(const struct invariant *) also; /* others that part with the model at the last step only */
};

/* Begins an account of a run of the failure's trace, in the arena, or of an example that passes
 * (NULL). `invariant_count`: of the machine. */
struct observer *account_begin(struct arena *arena, const struct failure *wanted,
                               size_t invariant_count);
/* Ends it: NULL if the run did not fail as wanted, or did not pass. The observer is gone. */
const struct account *account_end(struct observer *observer);

#endif
