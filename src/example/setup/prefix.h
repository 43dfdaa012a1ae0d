/*
 * What an attempt shares with the one before it: while a failure is shrunk, each trace that is
 * run begins as the last one did, often for most of its length. The database is rolled back to a
 * savepoint behind that beginning instead of to the start, and the steps up to there run over their
 * saved answers, as the constant part of initialize does: only the model moves.
 *
 * A step's effects follow from the steps before it and its choices, so equal beginnings of traces
 * leave the database in the same state. Where a machine breaks that (a clock, random values), the
 * shortest trace is run once more from the start, in any case.
 */
#ifndef EXAMPLE_PREFIX_H
#define EXAMPLE_PREFIX_H

#include "example/backend.h"
#include "trace/trace.h"

struct engine;
struct example;
struct example_plan;
struct step;

/* An answer that is kept, so that its step can be run again without the database. */
struct saved_answer {
    bool raised;
    bool waits; /* its answer is needed by the model */
    bool
        can_change; /* it has lists or dicts, which the model may change: a copy for each example */
    struct answer answer;
    struct keeping *keeping; /* of a step that does the same in each example; else NULL */
};

/* An example's own copy of rows that other examples share; made when the rows are first read. */
struct row_copies {
    struct arena *arena;
    const struct value *rows; /* NULL: not yet */
};
/* Whether the column's values are lists or dicts. */
bool column_can_change(const struct answer_column *column);
/* The rows; the caller may hand them to code that changes them. */
const struct value *answer_rows(const struct answer *answer);

/* A copy that lives in the arena. */
struct answer answer_copy(struct arena *arena, const struct answer *answer);
/* What the step was answered; a copy that lives in the arena. */
struct saved_answer saved_answer_of(struct arena *arena, const struct step *step);
/* The same of a step that does the same in every example, whose answer is in the engine's `saving`.
 */
struct saved_answer saved_answer_for_all(struct engine *engine, const struct step *step);
/* Gives the step its saved answer. Its code may keep values until example_keep(example, NULL). */
void saved_answer_give(struct example *example, const struct saved_answer *saved,
                       struct step *step);

/* A step of the last attempt. */
struct prefix_step {
    struct trace_step step;
    struct saved_answer saved;
};

struct prefix {
    bool on;
    bool renew;   /* the first attempt begins in a new transaction */
    bool dirty;   /* the last attempt was not rolled back yet */
    size_t depth; /* of the steps of the attempt under way this many are not executed again */
    size_t next;  /* index of the first step before which another savepoint may be made */
    size_t anew;  /* of the steps that the attempt under way begins with as the last one did, those
                     that run again only as their savepoints were few, or lost with a transaction */
    VEC(struct prefix_step) steps; /* of the last attempt that ran, up to what failed */
    struct arena arenas[2];        /* of `steps`, by turns */
    unsigned arena;
};

/* From here on examples are attempts at one failure. They begin in a new transaction: when the next
 * one is due, and the server makes up other values, then depends on the attempts alone, not on the
 * examples that this connection happened to run. */
void prefix_begin(struct engine *engine);
/* No more: the database is rolled back. */
bool prefix_end(struct engine *engine, struct error *err);
void prefix_free(struct prefix *prefix);

/* An example begins: rolls back what the last attempt left, as far as the plan wants. */
bool prefix_enter(struct engine *engine, const struct example_plan *plan, struct error *err);
/* Before the step with this index is queued: a savepoint, where one may pay. */
bool prefix_step(struct example *example, size_t index, struct error *err);
/* The saved answer of the step that is next, or NULL: it is to be executed. */
const struct saved_answer *prefix_saved(const struct engine *engine);
/* An example ended: keeps what the next may share. False: it has to be rolled back now. */
bool prefix_leave(struct engine *engine);
/* The database is not where the last attempt left it. */
void prefix_forget(struct engine *engine);
/* The same where it only went on in a new transaction: the savepoints are gone. */
void prefix_lose(struct engine *engine);

#endif
