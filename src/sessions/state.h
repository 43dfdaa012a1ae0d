/* What the examples of an engine with several sessions keep (sessions.c), and what a failure of
 * theirs shows (shown.c). */
#ifndef SESSIONS_STATE_H
#define SESSIONS_STATE_H

#include "example/example.h"
#include "sessions/player.h"
#include "sessions/recorder.h"
#include "sessions/steer.h"

/* One of the sessions. */
struct branch {
    struct sessions_state *state;
    struct engine engine; /* on the player */
    struct player player;
    struct arena arena; /* of what it records: it is on a thread of its own */
    struct trace trace; /* that it is to run */
    bool ok;
    struct error err;
};

/* An order that was asked about, and what contradicts it. */
struct tried_order {
    struct recorded_step **steps;
    size_t count;
    size_t explained;
    const struct failure *failure; /* NULL if it says nothing */
};

struct sessions_state {
    struct engine *main;
    unsigned count;      /* of the trace under way */
    struct arena arena;  /* of one run of its branches */
    struct arena drawn;  /* of what was learned about the example */
    struct engine stage; /* runs what comes before the sessions, on the main backend */
    struct recorder recorder;
    struct record before;
    struct branch branches[LANES_MAX];
    struct record records[LANES_MAX];
    struct steer steer;
    struct engine judge; /* runs the orders, on its player */
    struct player judging;
    VEC(struct tried_order) tried;
    struct trace executed; /* with what the sessions ran */
};

/* What the step came to: its error, or what its last statement gave. */
const char *sessions_answer(struct arena *arena, const struct recorded_step *step);
/* What no order explains, as a failure of the main engine's example. `best`: the order that
 * explains most. */
void sessions_fail(struct sessions_state *state, const struct example_plan *plan,
                   const struct tried_order *best);

#endif
