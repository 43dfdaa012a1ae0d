/*
 * A trace: an example as data. It is a list of steps, each a rule and the choices of its draws.
 * Every example runs as a replay of a trace; generating one is a replay with a random source behind
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

/* Where the client that sent a step died. In each case the step's session is over. */
enum trace_death {
    DEATH_NONE,
    DEATH_BEFORE, /* before it sent the COMMIT: the step is rolled back */
    DEATH_AFTER,  /* after that, before it read the answer: the step may be committed */
    DEATH_WITHIN, /* the server ends the session at a gate: outside of a transaction, what was
                     committed before stays. If there is no such gate, as DEATH_AFTER */
    DEATHS
};

struct trace_step {
    uint32_t id;
    bool initialize;
    /* The session, from 1 on, that runs the step concurrently with the others. 0 for the steps
     * before, which run one after the other. Steps are sorted by session. */
    unsigned char session;
    size_t rule; /* index in machine->rules, or machine->initialize */
    enum trace_death death;
    uint32_t gate;  /* of DEATH_WITHIN: its number in the step, from 1 (example/lanes.h) */
    uint32_t again; /* 1 + the id of the step that it repeats, whose client died; 0: it is none */
    struct choices choices;
};

/* Gates (example/lanes.h) beside those that each statement has. They are there only if a schedule
 * uses them, and have numbers of their own. */
enum trace_gate {
    TRACE_GATE_WRITE, /* none: the gate number `crossing` itself */
    TRACE_GATE_ROW,   /* where a statement locks a row, or is about to insert one */
    TRACE_GATE_BODY,  /* between statements of a function; always there */
};

/* What a session does at a point. */
enum trace_act {
    TRACE_YIELD,    /* others go on */
    TRACE_TIME_OUT, /* up to its next gate, `lock_timeout` ends each wait for a lock at once */
};

/* A point at which a session does something: before the statement number `call` of the step (from
 * 0; the COMMIT is the last), or inside that statement at its gate number `crossing`, from 1
 * (example/lanes.h), or at the gate number `nth`, from 1, of another kind that comes after that. */
struct trace_switch {
    uint32_t step; /* its id */
    uint32_t call;
    uint32_t crossing; /* 0: before the statement, or (nth > 0) before its first gate */
    uint32_t nth;      /* 0 if `gate` is TRACE_GATE_WRITE */
    enum trace_gate gate;
    enum trace_act act;
};

enum { TRACE_SESSIONS_MAX = 4 };

/* Decides which of the sessions that can run continues: the first in `order` that has not yielded;
 * if all have, the one whose point is last in the list. These are the priorities of Burckhardt et
 * al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (2010). */
struct trace_schedule {
    unsigned char order[TRACE_SESSIONS_MAX]; /* numbers of sessions; all 0: in ascending order */
    VEC(struct trace_switch) switches;
};

struct trace {
    VEC(struct trace_step) steps;
    struct trace_schedule schedule; /* if there are sessions */
};

struct trace trace_copy(struct arena *arena, const struct trace *trace);
/* The steps before the sessions and those of one session (0: none); choices are not copied. */
struct trace trace_part(struct arena *arena, const struct trace *trace, unsigned session);
/* The number of sessions; 0 if the steps run one after the other. */
unsigned trace_sessions(const struct trace *trace);
/* Whether it is the same point, whatever is done there. */
bool trace_point_equal(const struct trace_switch *a, const struct trace_switch *b);
/* Whether the point is inside a statement. */
bool trace_is_inside(const struct trace_switch *point);
/* Whether the schedule has a point at such a gate. */
bool trace_schedule_uses(const struct trace_schedule *schedule, enum trace_gate gate);
/* Whether a client dies in it. */
bool trace_deaths(const struct trace *trace);
/* Whether a session does this at a point of it. */
bool trace_schedule_acts(const struct trace_schedule *schedule, enum trace_act act);
bool trace_schedule_equal(const struct trace_schedule *a, const struct trace_schedule *b);
bool trace_step_equal(const struct trace_step *a, const struct trace_step *b);
bool trace_equal(const struct trace *a, const struct trace *b);
/* Index of the first step after the initialize steps. */
size_t trace_first(const struct trace *trace);
/* The number of steps from there on. */
size_t trace_length(const struct trace *trace);
/* Whether one of these steps is of the rule. */
bool trace_runs(const struct trace *trace, size_t rule);

/* A step as it ran, for printing: drawn values, and their names in the example. */
struct shown_arg {
    const char *name;
    struct value value;
    const char *reference; /* "projects_1" if the value came from a bundle; otherwise NULL */
};
struct shown_step {
    const struct rule *rule;
    VEC(struct shown_arg) args;
    /* Arguments with only one possible value, which calls leave out. */
    VEC(struct shown_arg) constants;
    enum trace_death death;
    uint32_t gate;      /* of DEATH_WITHIN */
    bool again;         /* it repeats a step whose client died */
    const char *now;    /* the new time of the simulated clock; NULL if the step did not move it */
    const char *remark; /* which arguments may be anything: "any role fails"; NULL if unknown */
    /* Names of the values that the step put into bundles: "users_1". */
    VEC(const char *) outputs;
};
/* Appends `upsert_member(project=projects_1, role="editor")`, a call in the model language. If the
 * step put one value into a bundle, `users_1 = ` comes before the call. A comment after it has the
 * rest: `   # also people_1` for another bundle, `   # users_1, users_2` for several values, the
 * constants, and the time if the step moved the clock. */
void trace_print_step(const struct shown_step *step, struct strbuf *out);

#endif
