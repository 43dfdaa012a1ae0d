/* A failure: what did not hold, the steps that led there, and who it is among others. */
#ifndef EXAMPLE_FAILURE_H
#define EXAMPLE_FAILURE_H

#include "example/backend.h"
#include "example/failure/race.h"
#include "machine/machine.h"
#include "trace/trace.h"

enum failure_kind {
    FAILURE_INVARIANT,        /* expect or check of an invariant */
    FAILURE_EXPECT,           /* of a rule; also affects */
    FAILURE_CHECK,            /* of a rule */
    FAILURE_UNEXPECTED_ERROR, /* the server raised an error that nothing predicts */
    FAILURE_MISSING_ERROR,    /* `raises` predicts one, none was raised */
    FAILURE_DIFFERENT_ERROR,  /* `raises` predicts another one */
    FAILURE_TIMEOUT,          /* statement_timeout or deadline */
    FAILURE_CONNECTION,       /* the server went away while this ran */
    FAILURE_RACE,             /* no serial order explains what several sessions were answered */
};

/* What tells a failure from others of the same machine. */
struct failure_id {
    enum failure_kind kind; /* never FAILURE_DIFFERENT_ERROR: that is an unexpected one */
    bool affects;           /* FAILURE_EXPECT: of the number of rows */
    const char *who;        /* "invariant editors", "rule pay", "end" */
    const char *sqlstate;   /* of the error; of a missing one what was predicted; NULL: none;
                               FAILURE_RACE: of a deadlock, of a kept lock, or NULL */
    const char *constraint; /* of the error; NULL: none */
    const char *table;
};
bool failure_id_equal(const struct failure_id *a, const struct failure_id *b);
/* "invariant editors", "rule pay: 23514 accounts_check"; in the arena. */
const char *failure_id_text(struct arena *arena, const struct failure_id *id);

/* A value of a row, beside the other side's. */
struct shown_cell {
    struct value value;
    const char *name; /* "projects_1": the bundle's value that it is; or NULL */
    bool maybe;       /* or that it is only equal to */
    bool differs;     /* in a changed row: not what the other side has in this column */
};
/* One line of the comparison of rows. */
enum difference_kind {
    DIFFERENCE_MISSING,    /* expected, not there */
    DIFFERENCE_UNEXPECTED, /* there, not expected */
    DIFFERENCE_CHANGED,    /* expected otherwise: under the same key, or at the same place */
};
struct difference {
    enum difference_kind kind;
    /* A cell for each of the columns; NULL on the side that does not have the row. */
    struct shown_cell *expected;
    struct shown_cell *actual;
    int64_t place; /* row from 1 where order counts; 0: it does not */
};

/* A check that is one comparison, `LEFT == RIGHT`. */
struct shown_sides {
    const char *source; /* of the left side; NULL: the check is none */
    const char *op;     /* constant */
    const char *left;   /* its value */
    const char *right;
};

/* What a context sets, as text. */
struct shown_setting {
    const char *name;
    const char *value;
};

/* What it took to shrink a failure. */
struct shrinking {
    uint64_t executions; /* traces that were run; 0: it was not shrunk */
    uint64_t steps;      /* of them all, those that were run on the database */
    uint64_t time_us;
    /* Why what is reported may not be the shortest, or why that was not tried; NULL: it is. */
    const char *cut_short;
    /* Runs that were given up, as they met a mistake in the model; the first: where and what. */
    uint64_t mistakes;
    const char *mistake; /* NULL: none */
    unsigned others;     /* other examples that failed the same way, and were shrunk, too */
};

struct account;   /* account/account.h */
struct recording; /* replay/recording/recording.h */

struct failure {
    enum failure_kind kind;
    struct failure_id id;
    const char *identity;    /* as text */
    const struct rule *rule; /* the step's; NULL: in initialize's invariants or at the start */
    const struct invariant *invariant; /* NULL: none */
    size_t step;                       /* after how many steps; 0: after initialize */
    const char *sql;                   /* statement as written, or NULL */
    const char *context;               /* "as ann", or NULL */
    /* What the context set when the statement was sent; a role where the machine computes it. */
    VEC(struct shown_setting) settings;
    struct source_pos pos; /* of the key that failed */
    /* `for` names of the invariant with their values, as arguments are shown */
    VEC(struct shown_arg) fors;
    const char
        *expected; /* a short text: "no rows", "3 rows", "unique_violation (23505)", "true" */
    const char *actual;
    const char *const *columns; /* of the rows: their names */
    size_t column_count;
    VEC(struct difference) differences; /* at most 20 */
    size_t difference_count;            /* all */
    /* Where a check does not hold: its source; `actual` is then what it gives. Else NULL. */
    const char *check;
    struct shown_sides sides; /* of that check */
    const char *returned;    /* the rows that the check saw, as text: "1 row: (2, None)"; or NULL */
    const char *hint;        /* what may be behind it (an order that no ORDER BY fixes), or NULL */
    const struct race *race; /* FAILURE_RACE; what else is here is of the order that explains
                                most of it */
    struct server_error error;    /* of an error, as first raised; sqlstate "" if none */
    struct trace trace;           /* steps up to and with the failing one */
    VEC(struct shown_step) steps; /* the same, to be shown; initialize steps left out */
    /* Invariants that don't hold after the last of these steps either; of an invariant's failure.
     */
    VEC(const struct invariant *) also;
    /* Values that bundles held at the failure, each under its `reference`: rows are shown by it. */
    VEC(struct shown_arg) bundled;
    uint64_t example;                    /* number, from 1; 0: pinned */
    const struct pinned_example *pinned; /* the one that failed; NULL: none */
    /* The shown steps are all that it takes: there are some, and initialize drew nothing but the
     * simplest, in the order of the file. None holds a value that is another one in each run. */
    bool pinnable;
    bool on_trust;                 /* the trace does not hold all arguments (example/pinned.h) */
    const struct failure *shorter; /* of a pinned one: a shorter form of it, or NULL */
    uint64_t seed;                 /* of the run that found it */
    bool stored;                   /* an earlier run found it */
    size_t example_steps;          /* steps of the example in which it was found */
    struct shrinking shrinking;
    const struct failure *found;       /* as it was found, before it was shrunk; or NULL */
    const struct account *account;     /* what happens, step by step; NULL: it was not told */
    const struct recording *recording; /* of the trace, for a script; NULL: there is none */
    /* It fails again after other examples, and not on a new connection: it needs something that
     * they left behind and no rollback took away. */
    bool leftover;
    bool flaky;                   /* did not fail the same way when run again */
    const char *flaky_difference; /* the first step where the runs differ, and how; or NULL */
};

struct step;

/* A step as it is shown, in the arena: its call, with names for the values that it was given. */
struct shown_step shown_step(struct arena *arena, const struct step *step);
/* Whether the step was given the value of that name; whether it put it into a bundle. */
bool shown_step_takes(const struct shown_step *step, const char *name);
bool shown_step_gives(const struct shown_step *step, const char *name);
/* Whether a step was given the value as such, out of no bundle: then it is known by that. */
bool failure_draws(const struct failure *failure, struct value value);

/* Whether the steps of two failures are written alike: what the database makes up differs. */
bool failure_same_steps(const struct failure *a, const struct failure *b);
/* Whether they are written alike to the letter, with whatever the database made up. */
bool failure_same_calls(const struct failure *a, const struct failure *b);

/* Copies in the arena: NULL of no cells. */
struct shown_cell *shown_cells_copy(struct arena *arena, const struct shown_cell *cells,
                                    size_t count);
struct server_error server_error_copy(struct arena *arena, const struct server_error *error);
/* A copy that outlives the example. */
struct failure *failure_copy(struct arena *arena, const struct failure *failure);

#endif
