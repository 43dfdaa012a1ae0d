/* What is drawn for examples of several sessions: how the steps are spread, and schedules. */
#ifndef SESSIONS_DRAW_H
#define SESSIONS_DRAW_H

#include "example/plan.h"
#include "gen/rng.h"
#include "sessions/record.h"

enum {
    SCHEDULES = 4, /* of an example */
};

struct branching draw_branching(struct rng *rng, unsigned sessions, size_t steps);

/* Where sessions can be stopped. */
struct points {
    VEC(struct trace_switch) items;
};
/* The points of what was recorded. */
void points_of(const struct record *sessions, size_t count, struct arena *arena,
               struct points *out);

/*
 * A schedule by PCT (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of
 * Finding Bugs", ASPLOS 2010): an order of the sessions, and depth - 1 switches at points that are
 * drawn. With n sessions and k points it shows a race of that depth with a probability of at least
 * 1 / (n * k^(depth - 1)). Depths 1, 2, 2, 3 take turns by `index`.
 */
void draw_schedule(struct rng *rng, unsigned sessions, const struct points *points, unsigned index,
                   struct arena *arena, struct trace_schedule *out);

#endif
