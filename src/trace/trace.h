/*
 * A trace: an example as data. A list of steps, each a rule and the choices its draws made;
 * replaying it is the one way to run an example, generation is replay with a random source behind
 * it.
 *
 * Step ids are unique in a trace and stay when other steps are removed; references (gen/choice.h)
 * name them. Initialize steps come first. A trace owns nothing: it lives in an arena; trace_copy
 * makes one that outlives its example.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "gen/choice.h"
#include "machine/machine.h"

struct trace_step {
    uint32_t id;
    bool initialize;
    /* Which session runs it, from 1 on, at the same time as the others run theirs; 0: it is one of
     * those that come before, one after the other. Those of a session stand together, in the order
     * of the sessions. */
    unsigned char session;
    size_t rule; /* index in machine->rules, or machine->initialize */
    struct choices choices;
};

/* Where a session steps back behind the others: before the statement number `call` of the step
 * (from 0; the COMMIT is the last), or in it where it comes to its gate number `crossing`, from 1
 * (example/lanes.h). */
struct trace_switch {
    uint32_t step; /* its id */
    uint32_t call;
    uint32_t crossing; /* 0: before it */
};

enum { TRACE_SESSIONS_MAX = 4 };

/* Which session goes on, of those that can: the first in `order`, of those that have not stepped
 * back; else the one whose switch stands last in the list. Burckhardt et al., "A Randomized
 * Scheduler with Probabilistic Guarantees of Finding Bugs" (2010), call these the priorities. */
struct trace_schedule {
    unsigned char order[TRACE_SESSIONS_MAX]; /* numbers of sessions; all 0: as they are numbered */
    VEC(struct trace_switch) switches;
};

struct trace {
    VEC(struct trace_step) steps;
    struct trace_schedule schedule; /* where there are sessions */
};

struct trace trace_copy(struct arena *arena, const struct trace *trace);
/* The steps before the sessions, and those of one of them (0: none); choices are not copied. */
struct trace trace_part(struct arena *arena, const struct trace *trace, unsigned session);
/* How many sessions it has; 0: its steps run one after the other. */
unsigned trace_sessions(const struct trace *trace);
bool trace_schedule_equal(const struct trace_schedule *a, const struct trace_schedule *b);
bool trace_step_equal(const struct trace_step *a, const struct trace_step *b);
bool trace_equal(const struct trace *a, const struct trace *b);
/* Index of the first step that is no initialize step. */
size_t trace_first(const struct trace *trace);
/* How many there are from it on. */
size_t trace_length(const struct trace *trace);

/* A step as it was executed, for printing: drawn values beside the names that they have in the
 * example. */
struct shown_arg {
    const char *name;
    struct value value;
    const char *reference; /* "projects_1" where the value came out of a bundle, else NULL */
};
struct shown_step {
    const struct rule *rule;
    VEC(struct shown_arg) args;
    /* Arguments that can have no other value: a call does not give them. */
    VEC(struct shown_arg) constants;
    const char *now;    /* the time to which it moved the simulated clock; NULL: it did not */
    const char *remark; /* which arguments may be anything: "any role fails"; NULL: not known */
    /* Names of the values that the step put into bundles: "users_1"; none, one or several. */
    VEC(const char *) outputs;
};
/* Appends `upsert_member(project=projects_1, role="editor")`, a call in the model language: with
 * `users_1 = ` before it where the step put one value into a bundle, and behind it as a comment
 * what else it put: `   # also people_1` into another one, `   # users_1, users_2` of several
 * values, what it was given as a constant, and the time where it moved the clock. */
void trace_print_step(const struct shown_step *step, struct strbuf *out);

#endif
