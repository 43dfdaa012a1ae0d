/*
 * The common prefix of consecutive attempts: during shrinking, a trace usually begins like the
 * previous one, often for most of its length. The database is rolled back to a savepoint after that
 * prefix instead of to the start, and the steps before it run over their saved answers, like the
 * constant part of initialize: only the model changes.
 *
 * A step's effects depend only on earlier steps and its choices, so equal prefixes leave the
 * database in the same state. A machine may violate this (a clock, random values), so the shortest
 * trace always runs once more from the start.
 */
#ifndef EXAMPLE_PREFIX_H
#define EXAMPLE_PREFIX_H

#include "example/backend.h"
#include "trace/trace.h"

struct engine;
struct example;
struct example_plan;
struct step;

/* A saved answer, with which its step can run again without the database. */
struct saved_answer {
    bool raised;
    bool waits;      /* the model needs its answer */
    bool can_change; /* it has lists or dicts, which the model may change, so each example gets a
                        copy */
    struct answer answer;
    struct answer *named;    /* by statement, as a step has `answers`; or NULL */
    struct keeping *keeping; /* of a step that does the same in each example; otherwise NULL */
};

/* An example's own copy of shared rows, made when they are first read. */
struct row_copies {
    struct arena *arena;
    const struct value *rows; /* NULL before that */
};
/* Returns true if the column's values are lists or dicts. */
bool column_can_change(const struct answer_column *column);
/* The rows; the caller may hand them to code that changes them. */
const struct value *answer_rows(const struct answer *answer);

/* A copy that lives in the arena. */
struct answer answer_copy(struct arena *arena, const struct answer *answer);
/* A copy of the step's answer that lives in the arena. */
struct saved_answer saved_answer_of(struct arena *arena, const struct step *step);
/* The same for a step that does the same in every example; the copy is in the engine's `saving`. */
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
    bool renew;    /* the first attempt begins in a new transaction */
    bool dirty;    /* the last attempt is not rolled back yet */
    bool migrates; /* the last attempt had the migration as a step (src/diff) */
    size_t depth;  /* number of steps of the current attempt that are not executed again */
    size_t next;   /* index of the first step that may get another savepoint */
    size_t anew;   /* steps of the common prefix that run again because their savepoints were sparse
                      or lost with a transaction */
    VEC(struct prefix_step) steps; /* of the last attempt, up to the failure */
    struct arena arenas[2];        /* of `steps`, alternating */
    unsigned arena;
};

/* From here on, examples are attempts at one failure. The first one begins a new transaction. So
 * the next restart, after which the server generates other values, depends only on the attempts,
 * and not on what this connection ran before. */
void prefix_begin(struct engine *engine);
/* Ends the attempts, and rolls the database back. */
bool prefix_end(struct engine *engine, struct error *err);
void prefix_free(struct prefix *prefix);

/* Begins an example: rolls back the last attempt, as far as the plan requires. */
bool prefix_enter(struct engine *engine, const struct example_plan *plan, struct error *err);
/* Before the step with this index is queued: sets a savepoint if it may pay off. */
bool prefix_step(struct example *example, size_t index, struct error *err);
/* The saved answer of the next step; NULL if the step must be executed. */
const struct saved_answer *prefix_saved(const struct engine *engine);
/* Ends an example, and keeps the state for the next one. False if the database must be rolled back
 * now. */
bool prefix_leave(struct engine *engine);
/* Discards the prefix, because the database has changed. */
void prefix_forget(struct engine *engine);
/* The same after a new transaction, which only lost the savepoints. */
void prefix_lose(struct engine *engine);

#endif
