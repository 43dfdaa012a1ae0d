/*
 * Telling an example as it runs, for whoever watches: its steps as calls, and each statement with
 * its parameters, context and answer.
 *
 * What is told is made into text by a *narrator*, a table of functions that the engine is given;
 * here is when. An engine that tells runs step by step, so that what is read has happened. What is
 * not counted (set-up, parents of mutated examples, attempts at shortening) is not told. Without a
 * narrator nothing of it is built.
 */
#ifndef EXAMPLE_NARRATE_H
#define EXAMPLE_NARRATE_H

#include "example/backend.h"
#include "trace/trace.h"

struct example;
struct failure;
struct invariant;
struct step;

/* Which example it is. */
struct told_example {
    uint64_t number;    /* from 1; 0 where it is a pinned one */
    const char *pinned; /* its name, or NULL */
    bool stored;        /* the trace of an earlier run's example */
};

struct told_step {
    struct shown_step shown;
    size_t number;        /* from 1; 0: of initialize */
    const char *sqlstate; /* of the error that it raised; NULL: none */
};

/* What bundles and collections hold by now, each value under its `reference`. */
struct told_names {
    VEC(struct shown_arg) items;
};

/* Each appends lines, safe to show, to `out`. */
struct narrator {
    void (*example)(const struct told_example *example, struct strbuf *out);
    void (*step)(const struct told_step *step, struct strbuf *out);
    void (*invariant)(const struct invariant *invariant, struct strbuf *out);
    void (*statement)(const struct backend_call *call, const struct told_names *names,
                      struct strbuf *out);
    void (*answer)(const struct answer *answer, const struct told_names *names, struct strbuf *out);
    /* How it ended; `failure` may be NULL. */
    void (*end)(const struct failure *failure, bool dead_end, struct strbuf *out);
};

void narrate_begin(struct example *example);
/* A statement as it is sent, to be told with its answer; NULL: it is not told. */
const char *narrate_call(struct example *example, const struct backend_call *call);
/* The answer to a statement, NULL: to the check of deferred constraints. */
void narrate_answer(struct example *example, const char *call, const struct answer *answer);
/* What was told since belongs to the step or the invariant. */
void narrate_step(struct example *example, const struct step *step);
void narrate_invariant(struct example *example, const struct invariant *invariant);
void narrate_end(struct example *example);

#endif
