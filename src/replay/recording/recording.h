/*
 * A recording: what was sent to the database while a failing trace ran, and what came back, so that
 * the same can be written down as a script.
 *
 * Values are in it as the texts that were sent. Where such a text, or a part of it, is something
 * that the database had returned before (an id that it gave out), the recording says which *cell*
 * of which answer it was, as another run will get another one. How that is known: while a recording
 * is made every scalar in an answer gets an origin (value_with_origin), which the model's copies of
 * it keep; besides, longer texts that only the database can have made are looked for in what is
 * sent.
 *
 * All of it lives in one arena, the one that it was made in.
 */
#ifndef REPLAY_RECORDING_H
#define REPLAY_RECORDING_H

#include "example/step/raises.h"

/* `size` bytes of text (and a NUL), or, where `cell` is not 0, the cell of that origin; then the
 * text is what it was in this run. */
struct recorded_part {
    const char *text;
    size_t size;
    unsigned cell;
};

struct recorded_value {
    bool null;
    VEC(struct recorded_part) parts; /* none: '' */
    const char *type;                /* as format_type gives it; NULL: not known, or pasted */
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
};

struct recorded_rows;

struct recorded_statement {
    const struct sql_template *sql;
    const struct recorded_context *context; /* NULL: none */
    VEC(struct recorded_value) values;      /* one per piece that is no SQL_TEXT */
    enum answer_status status;
    VEC(struct recorded_column) columns;
    size_t rows;
    /* Where there are sessions: those rows; of a statement without columns its command ("UPDATE
     * 1"), of one that failed nothing. */
    const struct recorded_rows *answer;
    unsigned first_cell; /* of row 0, column 0; the others follow row by row; 0: none */
};

enum recorded_kind {
    RECORDED_DATASET,  /* a row of it */
    RECORDED_STEP,     /* of initialize, too */
    RECORDED_CHECK,    /* an invariant for one combination of its `for` values */
    RECORDED_DEFERRED, /* deferred constraints, at the end of the example */
};

struct recorded_step {
    enum recorded_kind kind;
    const struct rule *rule;           /* RECORDED_STEP */
    const struct invariant *invariant; /* RECORDED_CHECK */
    const char *table;                 /* RECORDED_DATASET */
    uint32_t id;                       /* RECORDED_STEP */
    unsigned session;                  /* RECORDED_STEP: that ran it; 0: none, or before them */
    const char *now; /* RECORDED_STEP: the time to which it moves the clock; NULL: it does not */
    VEC(struct recorded_statement) statements;
    struct prediction raises; /* RECORDED_STEP: what was predicted */
    /* Behind the statements, or alone: deferred constraints, where the schema has any. */
    bool deferred;
    const struct recorded_context *deferred_context;
    struct backend_deferral deferral; /* where `deferred` */
    bool raised;
    char sqlstate[6];
};

/* Rows of the last statement: what the model expected, or what came. */
struct recorded_rows {
    bool ordered;
    size_t columns;
    const bool *left_out;             /* columns that are not compared: NULL in each row; or NULL */
    VEC(struct recorded_value) cells; /* row by row, `columns` each */
};

/* What a check asks of the answer: `result.value < 3`, `result.count == 1`. */
struct recorded_comparison {
    bool counts;      /* asked of the number of rows; else of the only column of the only row */
    const char *cast; /* behind the column, so that SQL compares as the model does */
    const char *op;   /* in SQL */
    bool null;        /* what it gives for NULL */
    struct recorded_value value;
};

/* An expression of `check` that was not true. */
struct recorded_check {
    const char *text; /* as it is written in the machine */
    /* The answer that it was not true of; not `answered`: none, it is about the model alone. */
    bool answered;
    bool notified; /* it reads what came by NOTIFY, or may: no SQL tells that */
    struct recorded_rows rows;
    int64_t count; /* of rows, also of changed ones; -1: the command has none */
    const struct recorded_comparison *comparison; /* NULL: SQL can't say what it asks */
};

/* The name by which the model or a bundle had a cell: "users_1", "user"; where it was one of
 * several values under that name, `part`. */
struct recorded_name {
    unsigned cell;
    const char *name;
    bool part;
};

struct recording {
    /* In the order in which they ran. The last one is what failed, or (an invariant without SQL)
     * the last before it. */
    VEC(struct recorded_step) steps;
    VEC(struct recorded_name) names;
    struct backend_changes changes; /* where `settings`, each step set its context anew */
    /* What is wrong with the last statement's answer; one of these, or none where it is an error or
     * that there are rows at all. */
    const struct recorded_rows *expected; /* it should have had these */
    int64_t affected;                     /* it should have had or changed so many; -1: not that */
    const struct recorded_check *check;   /* something should have been true of it */
    unsigned sessions; /* how many ran side by side: their steps stand one session after the other,
                        * and behind them are the checks that contradict a serial order */
    bool checks; /* the checks between the steps are part of it: without them it does not fail */
};

/* Where a cell came from. */
struct recorded_cell {
    size_t step;
    size_t statement;
    size_t row;
    size_t column;
};
/* There is one. */
const struct recorded_step *recording_last_step(const struct recording *recording);
/* NULL: the last step has none. */
const struct recorded_statement *recording_last_statement(const struct recording *recording);
struct recorded_cell recording_cell(const struct recording *recording, unsigned cell);

#endif
