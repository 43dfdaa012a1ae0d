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
    size_t rule; /* index in machine->rules, or machine->initialize */
    struct choices choices;
};

struct trace {
    VEC(struct trace_step) steps;
};

struct trace trace_copy(struct arena *arena, const struct trace *trace);
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
    /* Names of the values that the step put into bundles: "users_1"; none, one or several. */
    VEC(const char *) outputs;
};
/* Appends `upsert_member(project=projects_1, role="editor")`, a call in the model language: with
 * `users_1 = ` before it where the step put one value into a bundle, and behind it as a comment
 * what else it put: `   # also people_1` into another one, `   # users_1, users_2` of several
 * values, and what it was given as a constant. */
void trace_print_step(const struct shown_step *step, struct strbuf *out);

#endif
