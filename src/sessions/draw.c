#include "sessions/draw.h"

enum {
    BEFORE_MAX = 10, /* steps before the sessions */
    EACH_MAX = 3,    /* steps of a session */
};

struct branching draw_branching(struct rng *rng, unsigned sessions, size_t steps)
{
    struct branching out = {0};
    size_t most = steps < BEFORE_MAX ? steps : BEFORE_MAX;
    /* two sessions of one step each are the plainest race, and the cheapest to look at */
    bool single = rng_one_in(rng, 2);
    out.before = (size_t)rng_below(rng, most + 1);
    out.echo = !rng_one_in(rng, 4);
    for (unsigned i = 0; i < sessions; i++) {
        out.each[i] = single ? 1 : 1 + (size_t)rng_below(rng, EACH_MAX);
    }
    return out;
}

static void add_points(const struct recorded_step *step, struct arena *arena, struct points *out)
{
    for (size_t i = 0; i < step->calls.count; i++) {
        for (unsigned crossing = 0; crossing <= step->calls.items[i].crossings; crossing++) {
            *VEC_PUSH(arena, &out->items) = (struct trace_switch){step->id, (uint32_t)i, crossing};
        }
    }
}

void points_of(const struct record *sessions, size_t count, struct arena *arena, struct points *out)
{
    *out = (struct points){0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sessions[i].steps.count; k++) {
            add_points(sessions[i].steps.items[k], arena, out);
        }
    }
}

static void draw_order(struct rng *rng, unsigned sessions, unsigned char *order)
{
    for (unsigned i = 0; i < sessions; i++) {
        unsigned at = (unsigned)rng_below(rng, i + 1);
        order[i] = order[at];
        order[at] = (unsigned char)(i + 1);
    }
}

void draw_schedule(struct rng *rng, unsigned sessions, const struct points *points, unsigned index,
                   struct arena *arena, struct trace_schedule *out)
{
    static const unsigned char depths[SCHEDULES] = {1, 2, 2, 3};
    unsigned switches = depths[index % SCHEDULES] - 1U;
    *out = (struct trace_schedule){0};
    if (index == 0) { /* the other way round than they ran at first */
        for (unsigned i = 0; i < sessions; i++) {
            out->order[i] = (unsigned char)(sessions - i);
        }
        return;
    }
    draw_order(rng, sessions, out->order);
    for (unsigned i = 0; i < switches && points->items.count; i++) {
        *VEC_PUSH(arena, &out->switches) = points->items.items[rng_below(rng, points->items.count)];
    }
}
