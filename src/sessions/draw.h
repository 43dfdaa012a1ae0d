/* Draws how the steps of an example are spread over sessions, and schedules. */
#ifndef SESSIONS_DRAW_H
#define SESSIONS_DRAW_H

#include "example/plan.h"
#include "gen/rng.h"
#include "sessions/record.h"

/* Of an example: most races show under the first one, and in the time of two more, another example
 * finds more than these would. Of one with few steps, which depend on each other: a good part of
 * those with one switch, which are a dozen or so; fewer where the first schedule knows who must
 * stop. Without a beginning, schedules cost less, and a race that is possible once only has no
 * other chance: then all of them, within reason. */
enum { SCHEDULES = 2, SCHEDULES_CROSSWISE = 3, SCHEDULES_MEETING = 5, SCHEDULES_ALL = 24 };

/* `steps`: of an example, at most. Where a migration runs, the first session runs transactions of
 * it that some rule can run beside. */
struct branching draw_branching(struct rng *rng, unsigned sessions, size_t steps,
                                const struct machine *machine);

/* The points at which sessions can be stopped, one session after the other. A session's first point
 * is its beginning. */
struct points {
    VEC(struct trace_switch) items;
    size_t ends[LANES_MAX]; /* behind the last one of each session */
    VEC(struct row_points) rows;
};
/* Points between the rows of a statement. */
struct row_points {
    unsigned session;
    struct trace_switch first;
    uint32_t last; /* `nth` of the last one */
};
/* The points of what was recorded. */
void points_of(const struct record *sessions, size_t count, struct arena *arena,
               struct points *out);

/* The first schedule of an example, of whose sessions nothing is known: one of them stops where it
 * first writes in one of its statements: `first`, or any (0). What it read before is then old when
 * it goes on. Where it probably only reads, it stops between two reads of a function. */
void draw_first_schedule(struct rng *rng, const struct machine *machine, const struct trace *trace,
                         unsigned first, struct arena *arena, struct trace_schedule *out);

struct schedules {
    VEC(struct trace_schedule) items;
};
bool schedules_have(const struct schedules *tried, const struct trace_schedule *schedule);
/*
 * A schedule that is none of `tried`: of depth 2, each of these with the same probability; deeper,
 * by PCT (Burckhardt et al., "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010): an order of the sessions, and depth - 1
 * switches at points that are drawn. Those that change nothing are left out: a session that has not
 * begun, or that is alone, need not stop. So with n sessions and k points one of depth 2 shows a
 * given race of that depth with a probability of at least 1 / (k - n). False: none was found.
 */
bool draw_schedule(struct rng *rng, unsigned sessions, const struct points *points, unsigned depth,
                   const struct schedules *tried, struct arena *arena, struct trace_schedule *out);
/* The same, with one switch, which is between the rows of a statement. */
bool draw_between_rows(struct rng *rng, unsigned sessions, const struct points *points,
                       const struct schedules *tried, struct arena *arena,
                       struct trace_schedule *out);
/* How many schedules the example gets. `meets`: its sessions may depend on each other. */
unsigned draw_count(const struct trace *trace, bool meets);
/* 2, or, once in four times, 3. */
unsigned draw_depth(struct rng *rng);

#endif
