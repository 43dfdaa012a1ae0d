/* A failure: the failed property, the steps that led there, and its identity. */
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
    FAILURE_UNEXPECTED_ERROR, /* the server raised an error that was not predicted */
    FAILURE_MISSING_ERROR,    /* `raises` predicted an error, but none was raised */
    FAILURE_DIFFERENT_ERROR,  /* `raises` predicted another error */
    FAILURE_TIMEOUT,          /* statement_timeout or deadline */
    FAILURE_CONNECTION,       /* the connection was lost */
    FAILURE_RACE,             /* no serial order explains the answers of several sessions */
    FAILURE_DIFFERS,          /* a second database answers differently (divergence.h) */
};

/* The identity of a failure among those of the same machine. */
struct failure_id {
    enum failure_kind kind; /* never FAILURE_DIFFERENT_ERROR, which counts as unexpected */
    bool affects;           /* FAILURE_EXPECT: `affects` failed */
    const char *who;        /* "invariant editors", "rule pay", "end" */
    const char *sqlstate;   /* of the error, or of the predicted one if it is missing; or NULL.
                               FAILURE_RACE: of a deadlock or a kept lock; or NULL */
    const char *constraint; /* of the error; or NULL */
    const char *table;
    const char *differs; /* FAILURE_DIFFERS: the name of the divergence's kind */
};
bool failure_id_equal(const struct failure_id *a, const struct failure_id *b);
/* "invariant editors", "rule pay: 23514 accounts_check"; in the arena. */
const char *failure_id_text(struct arena *arena, const struct failure_id *id);

/* A value of a row, compared with the other side's. */
struct shown_cell {
    struct value value;
    const char *name; /* "projects_1": its name as a bundle's value; or NULL */
    bool maybe;       /* it may be equal to that value only by chance */
    bool differs;     /* in a changed row: it differs from the other side's */
};
/* One line of the comparison of rows. */
enum difference_kind {
    DIFFERENCE_MISSING,    /* expected, but not returned */
    DIFFERENCE_UNEXPECTED, /* returned, but not expected */
    DIFFERENCE_CHANGED, /* expected with other values: under the same key, or at the same place */
};
struct difference {
    enum difference_kind kind;
    /* A cell for each column; NULL on the side without the row. */
    struct shown_cell *expected;
    struct shown_cell *actual;
    int64_t place; /* row from 1 if the order counts; otherwise 0 */
};

/* The sides of a check that is one comparison, `LEFT == RIGHT`. */
struct shown_sides {
    const char *source; /* of the left side; NULL if the check is not a comparison */
    const char *op;     /* constant */
    const char *left;   /* its value */
    const char *right;
};

/* A setting of a context, as text. */
struct shown_setting {
    const char *name;
    const char *value;
};

/* The effort to shrink a failure. */
struct shrinking {
    uint64_t executions; /* traces that ran; 0 if it was not shrunk */
    uint64_t steps;      /* steps of all of them that ran on the database */
    uint64_t time_us;
    /* Why the reported trace may not be the shortest, or why it was not shrunk; NULL if it is the
     * shortest. */
    const char *cut_short;
    /* Runs that ended with a mistake in the model, and the first of these mistakes with its place.
     */
    uint64_t mistakes;
    const char *mistake; /* NULL: none */
    const char *by;      /* the process that shrank it; NULL: this one */
    unsigned others;     /* other examples that failed in the same way, and were shrunk, too */
};

struct account;    /* account/account.h */
struct divergence; /* example/divergence.h */
struct recording;  /* replay/recording/recording.h */

struct failure {
    enum failure_kind kind;
    struct failure_id id;
    const char *identity;              /* as text */
    const struct rule *rule;           /* the step's; NULL at the start and after initialize */
    const struct invariant *invariant; /* NULL: none */
    size_t step;                       /* number of steps before the failure; 0: after initialize */
    bool at_end;                       /* at the end of the example: in no step and no invariant */
    const char *sql;                   /* statement as written, or NULL */
    size_t statement, statements;      /* its number, of so many; 0: there is only one */
    const char *context;               /* "as ann", or NULL */
    /* The context's settings when the statement was sent, and its role if the machine computes it.
     */
    VEC(struct shown_setting) settings;
    struct source_pos pos; /* of the failed key */
    /* `for` names of the invariant with their values, shown like arguments */
    VEC(struct shown_arg) fors;
    const char
        *expected; /* a short text: "no rows", "3 rows", "unique_violation (23505)", "true" */
    const char *actual;
    const char *const *columns; /* of the rows: their names */
    size_t column_count;
    VEC(struct difference) differences; /* at most 20 */
    size_t difference_count;            /* all */
    /* The source of a failed check, whose value is then `actual`; otherwise NULL. */
    const char *check;
    struct shown_sides sides; /* of that check */
    const char *returned; /* the rows that the check read, as text: "1 row: (2, None)"; or NULL */
    const char *hint;     /* a possible cause (a missing ORDER BY); or NULL */
    const struct divergence *divergence; /* FAILURE_DIFFERS */
    /* FAILURE_DIFFERS: the identity of what the steps before the last one, or all that an invariant
     * follows, had left behind already; or NULL. */
    const char *follows;
    /* FAILURE_DIFFERS: where else the run met the same cause, after this was told: places, as in
     * `divergence`. */
    VEC(const char *) elsewhere;
    const struct race
        *race; /* FAILURE_RACE; the rest is from the serial order that explains most */
    struct server_error
        error;          /* the error as it was first raised; its sqlstate is "" if there is none */
    struct trace trace; /* steps up to and including the failing one */
    VEC(struct shown_step) steps; /* the same for display, without initialize steps */
    /* For an invariant's failure: other invariants that fail after the same step. */
    VEC(const struct invariant *) also;
    /* Values in bundles at the time of the failure, with their names in `reference`, for displaying
     * rows. */
    VEC(struct shown_arg) bundled;
    uint64_t example;                    /* number, from 1; 0: pinned */
    const struct pinned_example *pinned; /* the one that failed; or NULL */
    /* The shown steps alone repeat the failure: there are some, initialize drew only the simplest
     * values, in the order of the file, no step has a value that differs from run to run, and one
     * database alone shows it. */
    bool pinnable;
    bool on_trust;                 /* the trace lacks some arguments (example/pinned.h) */
    const struct failure *shorter; /* of a pinned failure: a shorter form of it; or NULL */
    uint64_t seed;                 /* of the run that found it */
    bool stored;                   /* found by an earlier run */
    bool taken;                    /* another process examines it; nothing of it is known here */
    bool adopted;                  /* its trace is what another process has shrunk it to */
    size_t example_steps;          /* number of steps in the example that found it */
    struct shrinking shrinking;
    const struct failure *found;       /* the failure before it was shrunk; or NULL */
    const struct account *account;     /* what happens, step by step; or NULL */
    const struct recording *recording; /* of the trace, for a script; or NULL */
    /* It fails again after other examples, but not on a new connection: it depends on an effect of
     * theirs that was not rolled back. */
    bool leftover;
    /* Of two databases: the first one differs from itself in the same way, or they differed once
     * and in no run after it: so it is none. */
    bool by_nature;
    bool unrepeated; /* no comparison with itself explained it, but it never showed again */
    bool flaky;      /* did not fail in the same way when run again */
    const char *flaky_difference; /* the first step at which the runs differ, and how; or NULL */
};

struct step;

/* A step for display, in the arena: its call, with names for its values. */
struct shown_step shown_step(struct arena *arena, const struct step *step);
/* Returns true if the step takes the value of that name as an argument, or puts it into a bundle.
 */
bool shown_step_takes(const struct shown_step *step, const char *name);
bool shown_step_gives(const struct shown_step *step, const char *name);
/* Returns true if a step drew the value itself, and not from a bundle. It is then shown as it is.
 */
bool failure_draws(const struct failure *failure, struct value value);

/* Returns true if the steps of two failures are equal, except for values that the database
 * generated. */
bool failure_same_steps(const struct failure *a, const struct failure *b);
/* Returns true if they are equal, including values that the database generated. */
bool failure_same_calls(const struct failure *a, const struct failure *b);

/* Copies cells to the arena; NULL stays NULL. */
struct shown_cell *shown_cells_copy(struct arena *arena, const struct shown_cell *cells,
                                    size_t count);
struct server_error server_error_copy(struct arena *arena, const struct server_error *error);
/* A copy that outlives the example. */
struct failure *failure_copy(struct arena *arena, const struct failure *failure);

#endif
