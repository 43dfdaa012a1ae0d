#include "sessions/draw.h"

#include "machine/sql/sql_study.h"
#include "sessions/written.h"

enum {
    BEFORE_MAX = 20,  /* steps before the sessions, which each schedule runs again */
    LONG_BEFORE = 50, /* instead, now and then: some races need a history */
    LONG_ONE_IN = 8,
    NO_BEFORE_ONE_IN = 6, /* none at all: some races are possible once only */
    EACH_MAX = 3,         /* steps of a session */
    BY_CHANCE_ONE_IN = 4, /* whether the sessions meet */
    DEEPER_ONE_IN = 4,    /* schedules: a depth of 3 instead of 2 */
    DONE_ONE_IN = 8,      /* examples: the whole migration comes before the sessions */
};

struct branching draw_branching(struct rng *rng, unsigned sessions, size_t steps, size_t migration)
{
    struct branching out = {0};
    size_t limit = rng_one_in(rng, LONG_ONE_IN) ? LONG_BEFORE : BEFORE_MAX;
    size_t most = steps < limit ? steps : limit;
    /* two sessions of one step each are the plainest race, and the cheapest to look at */
    bool single = rng_one_in(rng, 2);
    out.before = rng_one_in(rng, NO_BEFORE_ONE_IN)
                     ? 0
                     : (size_t)rng_below(rng, 1 + rng_below(rng, most + 1));
    if (migration > 0) {
        out.migrated = rng_one_in(rng, DONE_ONE_IN) ? migration : (size_t)rng_below(rng, migration);
        out.before += out.migrated;
    }
    out.echo = !rng_one_in(rng, 4);
    out.meets = rng_one_in(rng, BY_CHANCE_ONE_IN) ? MEET_BY_CHANCE
                : rng_one_in(rng, 2)              ? MEET
                                                  : MEET_BY_ANSWERS;
    for (unsigned i = 0; i < sessions; i++) {
        out.each[i] = single ? 1 : 1 + (size_t)rng_below(rng, EACH_MAX);
    }
    return out;
}

static void add_row_points(const struct recorded_step *step, size_t call,
                           const struct written_rows *rows, struct arena *arena, struct points *out)
{
    if (rows->first <= rows->last) {
        *VEC_PUSH(arena, &out->rows) = (struct row_points){.session = step->session,
                                                           .first = {.step = step->id,
                                                                     .call = (uint32_t)call,
                                                                     .crossing = rows->crossing,
                                                                     .nth = rows->first,
                                                                     .gate = TRACE_GATE_ROW},
                                                           .last = rows->last};
    }
}

/* Of statements that write, as their gates said, and of those that lock what they return. */
static void add_rows(const struct recorded_step *step, size_t index, struct arena *arena,
                     struct points *out)
{
    const struct recorded_call *call = &step->calls.items[index];
    for (size_t i = 0; i < call->row_count; i++) {
        add_row_points(step, index, &call->rows[i], arena, out);
    }
    if (call->sql && call->crossings == 0 && call->answer.row_count > 1 &&
        sql_locks_rows(&call->sql->snippet)) {
        const struct written_rows rows = {.first = 1, .last = (unsigned)call->answer.row_count - 1};
        add_row_points(step, index, &rows, arena, out);
    }
}

/* Inside a call, in the order in which it reached them. */
static void add_points(const struct recorded_step *step, struct arena *arena, struct points *out)
{
    for (size_t i = 0; i < step->calls.count; i++) {
        const struct recorded_call *call = &step->calls.items[i];
        size_t k = 0;
        for (unsigned crossing = 0;
             crossing <= call->crossings && call->answer.status != ANSWER_SKIPPED; crossing++) {
            const struct trace_switch at = {
                .step = step->id, .call = (uint32_t)i, .crossing = crossing};
            *VEC_PUSH(arena, &out->items) = at;
            for (; k < call->between.count && call->between.items[k].crossing == crossing; k++) {
                *VEC_PUSH(arena, &out->items) = call->between.items[k];
            }
        }
        add_rows(step, i, arena, out);
    }
    if (step->died) {
        *VEC_PUSH(arena, &out->items) =
            (struct trace_switch){.step = step->id, .call = (uint32_t)step->calls.count};
    }
}

void points_of(const struct record *sessions, size_t count, struct arena *arena, struct points *out)
{
    *out = (struct points){0};
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sessions[i].steps.count; k++) {
            add_points(sessions[i].steps.items[k], arena, out);
        }
        out->ends[i] = out->items.count;
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

/* The session from 1 on goes first. */
static void put_first(unsigned char *order, unsigned session)
{
    unsigned at = 0;
    while (order[at] != session) {
        at++;
    }
    order[at] = order[0];
    order[0] = (unsigned char)session;
}

void draw_first_schedule(struct rng *rng, const struct machine *machine, const struct trace *trace,
                         struct arena *arena, struct trace_schedule *out)
{
    unsigned sessions = trace_sessions(trace);
    const struct trace_step *picked = NULL;
    uint64_t count = 0;
    *out = (struct trace_schedule){0};
    draw_order(rng, sessions, out->order);
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->session == out->order[0] && rng_one_in(rng, ++count)) {
            picked = step;
        }
    }
    size_t calls = picked ? machine->rules.items[picked->rule].statements.count : 0;
    if (calls > 0) {
        *VEC_PUSH(arena, &out->switches) = (struct trace_switch){
            .step = picked->id, .call = (uint32_t)rng_below(rng, calls), .crossing = 1};
    }
}

static size_t first_of(const struct points *points, unsigned session)
{
    return session > 1 ? points->ends[session - 2] : 0;
}

/* The points at which the session can be stopped once it has begun. */
static uint64_t stops_of(const struct points *points, unsigned session)
{
    size_t count = points->ends[session - 1] - first_of(points, session);
    return count > 0 ? count - 1 : 0;
}

static struct trace_switch stop_of(const struct points *points, unsigned session, uint64_t index)
{
    return points->items.items[first_of(points, session) + 1 + index];
}

static bool draw_any(struct rng *rng, unsigned sessions, const struct points *points,
                     unsigned depth, struct arena *arena, struct trace_schedule *out)
{
    uint64_t stops = 0;
    for (unsigned i = 1; i <= sessions; i++) {
        stops += stops_of(points, i);
    }
    *out = (struct trace_schedule){0};
    draw_order(rng, sessions, out->order);
    if (stops == 0) {
        return false;
    }
    uint64_t index = rng_below(rng, stops);
    unsigned first = 1;
    for (; index >= stops_of(points, first); first++) {
        index -= stops_of(points, first);
    }
    put_first(out->order, first);
    unsigned second = out->order[1];
    if (depth > 2 && stops_of(points, second) > 0) { /* behind the first one, which goes on then */
        *VEC_PUSH(arena, &out->switches) =
            stop_of(points, second, rng_below(rng, stops_of(points, second)));
    }
    *VEC_PUSH(arena, &out->switches) = stop_of(points, first, index);
    return true;
}

bool schedules_have(const struct schedules *tried, const struct trace_schedule *schedule)
{
    for (size_t i = 0; i < tried->items.count; i++) {
        if (trace_schedule_equal(&tried->items.items[i], schedule)) {
            return true;
        }
    }
    return false;
}

bool draw_between_rows(struct rng *rng, unsigned sessions, const struct points *points,
                       const struct schedules *tried, struct arena *arena,
                       struct trace_schedule *out)
{
    if (points->rows.count == 0) {
        return false;
    }
    const struct row_points *rows = &points->rows.items[rng_below(rng, points->rows.count)];
    struct trace_switch point = rows->first;
    *out = (struct trace_schedule){0};
    draw_order(rng, sessions, out->order);
    put_first(out->order, rows->session);
    point.nth += (uint32_t)rng_below(rng, rows->last - rows->first.nth + 1);
    *VEC_PUSH(arena, &out->switches) = point;
    return !schedules_have(tried, out);
}

unsigned draw_depth(struct rng *rng) { return rng_one_in(rng, DEEPER_ONE_IN) ? 3 : 2; }

bool draw_schedule(struct rng *rng, unsigned sessions, const struct points *points, unsigned depth,
                   const struct schedules *tried, struct arena *arena, struct trace_schedule *out)
{
    enum { TRIES = 16 };
    for (unsigned i = 0; i < TRIES; i++) {
        if (!draw_any(rng, sessions, points, depth, arena, out)) {
            return false;
        }
        if (!schedules_have(tried, out)) {
            return true;
        }
    }
    return false;
}
