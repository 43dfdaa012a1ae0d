/*
 * A recording: the statements sent to the database while a failing trace ran, and the answers, from
 * which a script can be written.
 *
 * It has values as the texts that were sent. If such a text, or a part of it, was returned by the
 * database before (a generated id), the recording names the *cell* of the answer, because another
 * run will get another value. To know this, every scalar in an answer gets an origin while a
 * recording is made (value_with_origin), which the model's copies keep. Also, sent texts are
 * searched for longer texts that only the database can have made.
 *
 * A recording lives in the arena in which it was made.
 */
#ifndef REPLAY_RECORDING_H
#define REPLAY_RECORDING_H

#include "example/step/raises.h"
#include "trace/trace.h"

/* `size` bytes of text (and a NUL). If `cell` is not 0, the part is the cell of that origin, and
 * the text is its value in this run. */
struct recorded_part {
    const char *text;
    size_t size;
    unsigned cell;
};

struct recorded_value {
    bool null;
    VEC(struct recorded_part) parts; /* if empty, '' */
    const char *type;                /* from format_type; NULL if unknown or pasted */
    /* The same as an expression in SQL, if the client computed it from answers: its texts are SQL,
     * its cells are numbers. */
    VEC(struct recorded_part) computed;
};

struct recorded_setting {
    const char *name;
    struct recorded_value value;
};

struct recorded_context {
    const char *role;         /* NULL: the connecting user */
    const char *session_user; /* NULL: unchanged */
    VEC(struct recorded_setting) settings;
};

struct recorded_column {
    const char *name;
    const char *type;
    enum column_class class;
    bool stored; /* a SELECT read it from a column of a table */
};

struct recorded_rows;

struct recorded_statement {
    const struct sql_template *sql;
    const struct recorded_context *context; /* or NULL */
    VEC(struct recorded_value) values;      /* one per piece that is no SQL_TEXT */
    enum answer_status status;
    VEC(struct recorded_column) columns;
    size_t rows;
    /* With sessions: the rows, or the command tag ("UPDATE 1") of a statement without columns; NULL
     * if it failed. */
    const struct recorded_rows *answer;
    bool prepares;       /* the session prepares it before it runs, for one that `executes` */
    bool executes;       /* it runs as a statement with the same text was prepared, and fails */
    unsigned first_cell; /* of row 0, column 0; the others follow row by row; 0 if there are none */
};

enum recorded_kind {
    RECORDED_DATASET,  /* a row of the dataset */
    RECORDED_STEP,     /* also of initialize */
    RECORDED_CHECK,    /* an invariant for one combination of its `for` values */
    RECORDED_DEFERRED, /* deferred constraints, at the end of the example */
};

struct recorded_step {
    enum recorded_kind kind;
    const struct rule *rule;           /* RECORDED_STEP */
    const struct invariant *invariant; /* RECORDED_CHECK */
    const char *table;                 /* RECORDED_DATASET */
    uint32_t id;                       /* RECORDED_STEP */
    unsigned session;                  /* RECORDED_STEP: the session; 0 for steps without one */
    enum trace_death death;            /* RECORDED_STEP: of its client */
    unsigned gate;                     /* of DEATH_WITHIN */
    const char *now; /* RECORDED_STEP: the new time; NULL if it does not move the clock */
    VEC(struct recorded_statement) statements;
    struct prediction raises; /* RECORDED_STEP: the prediction */
    /* Checks deferred constraints after the statements, or alone, if the schema has any. */
    bool deferred;
    const struct recorded_context *deferred_context;
    struct backend_deferral deferral; /* if `deferred` */
    bool raised;
    char sqlstate[6];
};

/* Rows of the last statement: expected or actual. */
struct recorded_rows {
    bool ordered;
    size_t columns;
    const bool *left_out;             /* ignored columns, which are NULL in each row; or NULL */
    VEC(struct recorded_value) cells; /* row by row, `columns` each */
};

/* A comparison in a check: `result.value < 3`, `result.count == 1`. */
struct recorded_comparison {
    bool counts;      /* compares the number of rows; otherwise the only column of the only row */
    const char *cast; /* after the column, so that SQL compares like the model */
    const char *op;   /* in SQL */
    bool null;        /* the result for NULL */
    struct recorded_value value;
};

/* An expression of `check` that was false. */
struct recorded_check {
    const char *text; /* as written in the machine */
    /* The answer for which it was false; `answered` is false if it only reads the model. */
    bool answered;
    bool notified; /* it may read notifications, which SQL can't */
    struct recorded_rows rows;
    int64_t count; /* of rows, returned or changed; -1 if the command has no count */
    const struct recorded_comparison *comparison; /* NULL if SQL can't express it */
};

/* The name of a cell in the model or a bundle: "users_1", "user"; with `part` if the name has
 * several values. */
struct recorded_name {
    unsigned cell;
    const char *name;
    bool part;
};

struct recording {
    /* In the order in which they ran. The last one failed, or (for an invariant without SQL) is the
     * last before the failure. */
    VEC(struct recorded_step) steps;
    VEC(struct recorded_name) names;
    struct backend_changes changes; /* with `settings`, each step set its context again */
    /* What is wrong with the last statement's answer: one of these, or none of them for an error or
     * for unexpected rows. */
    const struct recorded_rows *expected; /* the expected rows */
    int64_t affected; /* the expected number of rows, returned or changed; or -1 */
    const struct recorded_check *check; /* a check that should have been true */
    unsigned sessions; /* number of concurrent sessions. Their steps are sorted by session, and are
                          followed by the checks that contradict a serial order */
    bool checks;       /* the failure needs the checks between the steps, so they are included */
};

/* The origin of a cell. */
struct recorded_cell {
    size_t step;
    size_t statement;
    size_t row;
    size_t column;
};
/* Never NULL. */
const struct recorded_step *recording_last_step(const struct recording *recording);
/* Whether a session ends in the middle of a step. */
bool recording_ends_within(const struct recording *recording);
/* NULL if the last step has none. */
const struct recorded_statement *recording_last_statement(const struct recording *recording);
struct recorded_cell recording_cell(const struct recording *recording, unsigned cell);

#endif
