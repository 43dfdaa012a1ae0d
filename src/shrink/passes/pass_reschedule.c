/* For concurrent sessions: removes steps and finds a new schedule. Without a step, the rest may
 * fail only under a schedule that no change of the schedule alone reaches. */
#include "shrink/passes/passes.h"

#include <string.h>

enum {
    SWITCHES_MAX = 2,   /* in a schedule that is tried */
    ATTEMPTS_MAX = 256, /* per trace */
};

/* The trace to reschedule: the current one, one with a step of a session changed, or one with the
 * steps of a session, of which this is the first, appended to another session. */
enum change { AS_IT_IS, WITHOUT_IT, BEFORE_ALL, JOINED };
struct base {
    enum change change;
    size_t step;
    unsigned to; /* JOINED: the other session */
};

struct schedules {
    VEC(struct trace_schedule) items;
};

/* Lists schedules of a trace with `depth` switches, `gates` of them within statements. */
struct lister {
    struct arena *arena;
    const struct trace *trace;
    const struct shrink_points *points;
    unsigned char order[TRACE_SESSIONS_MAX];
    size_t sessions;
    size_t depth;
    size_t gates;
    struct schedules *out;
};

static void add_session(struct arena *arena, const struct trace *from, unsigned session,
                        unsigned as, struct trace *out)
{
    for (size_t i = 0; i < from->steps.count; i++) {
        if (from->steps.items[i].session == session) {
            struct trace_step *step = VEC_PUSH(arena, &out->steps);
            *step = from->steps.items[i];
            step->session = (unsigned char)as;
        }
    }
}

/* Keeps steps sorted by session. */
static struct trace joined_trace(struct arena *arena, const struct trace *trace, unsigned from,
                                 unsigned to)
{
    struct trace out = {0};
    for (unsigned session = 0; session <= trace_sessions(trace); session++) {
        if (session != from) {
            add_session(arena, trace, session, session, &out);
        }
        if (session == to) {
            add_session(arena, trace, from, to, &out);
        }
    }
    return out;
}

static struct trace make_base(struct shrinker *shrinker, struct base base)
{
    struct trace trace = base.change == WITHOUT_IT
                             ? shrinker_without(shrinker, base.step, base.step + 1)
                             : shrinker_copy(shrinker);
    if (base.change == BEFORE_ALL) {
        edit_before_sessions(&trace, base.step);
    }
    if (base.change == JOINED) {
        unsigned from = trace.steps.items[base.step].session;
        trace = joined_trace(&shrinker->scratch, &trace, from, base.to);
    }
    trace.schedule = (struct trace_schedule){0};
    return trace;
}

static bool is_numbered(const struct lister *lister)
{
    for (size_t i = 1; i < lister->sessions; i++) {
        if (lister->order[i] < lister->order[i - 1]) {
            return false;
        }
    }
    return true;
}

static void add_schedule(struct lister *lister, const struct trace_switch *const *switches)
{
    size_t gates = 0;
    for (size_t i = 0; i < lister->depth; i++) {
        gates += trace_is_inside(switches[i]);
    }
    if (gates != lister->gates) {
        return;
    }
    struct trace_schedule *schedule = VEC_PUSH(lister->arena, &lister->out->items);
    if (!is_numbered(lister)) {
        memcpy(schedule->order, lister->order, sizeof schedule->order);
    }
    for (size_t i = 0; i < lister->depth; i++) {
        *VEC_PUSH(lister->arena, &schedule->switches) = *switches[i];
    }
}

/* True if the session can stop there after it has begun. */
static bool is_stop(const struct lister *lister, const struct trace_switch *point, size_t place)
{
    bool begun = false;
    for (size_t i = 0; i < lister->trace->steps.count; i++) {
        const struct trace_step *step = &lister->trace->steps.items[i];
        if (step->session == lister->order[place]) {
            if (step->id == point->step) {
                return begun || point->call > 0 || trace_is_inside(point);
            }
            begun = true;
        }
    }
    return false;
}

/* Stops the first sessions in the order, so that a later one continues, like random schedules do.
 */
static void add_stops(struct lister *lister, const struct trace_switch **switches, size_t place)
{
    if (place == lister->depth) {
        add_schedule(lister, switches);
        return;
    }
    for (size_t i = 0; i < lister->points->items.count; i++) {
        const struct trace_switch *point = &lister->points->items.items[i];
        if (is_stop(lister, point, place)) {
            switches[lister->depth - 1 - place] = point;
            add_stops(lister, switches, place + 1);
        }
    }
}

static void swap_sessions(struct lister *lister, size_t a, size_t b)
{
    unsigned char session = lister->order[a];
    lister->order[a] = lister->order[b];
    lister->order[b] = session;
}

static void add_orders(struct lister *lister, size_t place)
{
    const struct trace_switch *switches[SWITCHES_MAX];
    if (place == lister->sessions) {
        add_stops(lister, switches, 0);
        return;
    }
    for (size_t i = place; i < lister->sessions; i++) {
        swap_sessions(lister, place, i);
        add_orders(lister, place + 1);
        swap_sessions(lister, place, i);
    }
}

/* Lists schedules with few switches first, and among these the ones without gates. */
static void list_schedules(struct shrinker *shrinker, const struct trace *trace,
                           struct arena *arena, struct schedules *out)
{
    struct lister lister = {
        .arena = arena, .trace = trace, .points = &shrinker->points, .out = out};
    size_t most = shrinker->current.schedule.switches.count;
    unsigned last = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].session > last) {
            last = trace->steps.items[i].session;
            lister.order[lister.sessions++] = (unsigned char)last;
        }
    }
    if (lister.sessions < 2) {
        return;
    }
    most = most < SWITCHES_MAX ? most : SWITCHES_MAX;
    for (lister.depth = 0; lister.depth <= most; lister.depth++) {
        for (lister.gates = 0; lister.gates <= lister.depth; lister.gates++) {
            add_orders(&lister, 0);
        }
    }
}

/* Returns true if one was accepted; the base is then invalid. */
static bool try_schedules(struct shrinker *shrinker, struct base base)
{
    struct arena arena = {0};
    struct schedules schedules = {0};
    const struct trace trace = make_base(shrinker, base);
    list_schedules(shrinker, &trace, &arena, &schedules);
    bool accepted = false;
    size_t tried = 0;
    for (size_t i = 0; i < schedules.items.count && !accepted && tried < ATTEMPTS_MAX; i++) {
        struct trace candidate = make_base(shrinker, base);
        candidate.schedule = schedules.items.items[i];
        if (shrinker->stopped || shrink_compare(&candidate, &shrinker->current) >= 0) {
            continue;
        }
        accepted = shrinker_try(shrinker, &candidate);
        tried++;
    }
    arena_free(&arena);
    return accepted;
}

/* The same for a base of each session. */
static bool try_sessions(struct shrinker *shrinker, enum change change, unsigned to)
{
    const struct trace *trace = &shrinker->current;
    for (size_t i = shrinker_first(shrinker); i < trace->steps.count; i++) {
        if (edit_begins_session(trace, i) && trace->steps.items[i].session != to &&
            (try_schedules(shrinker, (struct base){change, i, to}) || shrinker->stopped)) {
            return true;
        }
    }
    return false;
}

static bool try_without_a_step(struct shrinker *shrinker)
{
    const struct trace *trace = &shrinker->current;
    for (size_t i = shrinker_first(shrinker); i < trace->steps.count; i++) {
        if (trace->steps.items[i].session > 0 &&
            (try_schedules(shrinker, (struct base){WITHOUT_IT, i, 0}) || shrinker->stopped)) {
            return true;
        }
    }
    return false;
}

void pass_reschedule(struct shrinker *shrinker)
{
    unsigned sessions = trace_sessions(&shrinker->current);
    bool done =
        sessions == 0 || try_without_a_step(shrinker) || try_sessions(shrinker, BEFORE_ALL, 0);
    for (unsigned to = 1; to <= sessions && sessions > 2 && !done; to++) {
        done = try_sessions(shrinker, JOINED, to);
    }
    if (!done) {
        (void)try_schedules(shrinker, (struct base){AS_IT_IS, 0, 0});
    }
}
