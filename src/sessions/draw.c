#include "sessions/draw.h"

#include "machine/sql/sql_study.h"
#include "sessions/written.h"

#include <string.h>

enum {
    BEFORE_MAX = 20,  /* steps before the sessions, which each schedule runs again */
    LONG_BEFORE = 50, /* instead, now and then: some races need a history */
    LONG_ONE_IN = 8,
    NO_BEFORE_ONE_IN = 6, /* none at all: some races are possible once only */
    EACH_MAX = 3,         /* steps of a session */
    BY_CHANCE_ONE_IN = 2, /* whether the sessions meet */
    CROSSWISE_ONE_IN = 6, /* instead, with a second step of the last session */
    DEEPER_ONE_IN = 4,    /* schedules: a depth of 3 instead of 2 */
    DONE_ONE_IN = 8,      /* examples: the whole migration comes before the sessions */
};

/* How many transactions of the migration, after the first `done`, can run beside some rule. */
static size_t beside(const struct machine *machine, size_t done)
{
    size_t most = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        const struct rule *rule = &machine->rules.items[i];
        size_t until = rule->until < 0 ? machine->migration->pieces : (size_t)rule->until;
        bool there = !rule->migrates && rule->from <= (int64_t)done && until > done;
        most = there && until - done > most ? until - done : most;
    }
    return most;
}

/* After how many of them the sessions begin, and how many the first one may run. */
static void draw_migration(struct rng *rng, const struct machine *machine, struct branching *out)
{
    size_t pieces = machine->migration->pieces;
    uint64_t count = 0;
    out->migrated = pieces;
    if (rng_one_in(rng, DONE_ONE_IN)) {
        return;
    }
    for (size_t done = 0; done < pieces; done++) {
        if (beside(machine, done) > 0 && rng_one_in(rng, ++count)) {
            out->migrated = done;
        }
    }
    size_t most = out->migrated < pieces ? beside(machine, out->migrated) : 0;
    out->each[0] = most > 0 && most < out->each[0] ? most : out->each[0];
}

struct branching draw_branching(struct rng *rng, unsigned sessions, size_t steps,
                                const struct machine *machine)
{
    struct branching out = {0};
    size_t limit = rng_one_in(rng, LONG_ONE_IN) ? LONG_BEFORE : BEFORE_MAX;
    size_t most = steps < limit ? steps : limit;
    /* two sessions of one step each are the plainest race, and the cheapest to look at */
    bool single = rng_one_in(rng, 2);
    out.before = rng_one_in(rng, NO_BEFORE_ONE_IN)
                     ? 0
                     : (size_t)rng_below(rng, 1 + rng_below(rng, most + 1));
    out.echo = !rng_one_in(rng, 4);
    out.meets = out.before == 0 || rng_one_in(rng, BY_CHANCE_ONE_IN) ? MEET_BY_CHANCE
                : rng_one_in(rng, 2)                                 ? MEET
                                                                     : MEET_BY_ANSWERS;
    for (unsigned i = 0; i < sessions; i++) {
        out.each[i] = single ? 1 : 1 + (size_t)rng_below(rng, EACH_MAX);
    }
    if (out.before > 0 && !machine->migration && rng_one_in(rng, CROSSWISE_ONE_IN)) {
        out.meets = MEET_CROSSWISE;
        out.before = (out.before + 1) / 2; /* it may get longer */
        for (unsigned i = 0; i < sessions; i++) {
            out.each[i] = i + 1 == sessions ? 2 : 1;
        }
    }
    if (machine->migration) {
        draw_migration(rng, machine, &out);
        out.before += out.migrated;
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

/* Whether nothing happens between the end of a statement that writes, in a function, and the gate
 * before the next one: to stop at either of them is the same. */
static bool is_idle(const struct recorded_call *call, unsigned crossing, size_t next)
{
    if (next == call->between.count || call->between.items[next].crossing != crossing) {
        return false;
    }
    for (size_t i = 0; i < call->end_count; i++) {
        if (call->ends[i] == crossing) {
            return true;
        }
    }
    return false;
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
            if (!is_idle(call, crossing, k)) {
                *VEC_PUSH(arena, &out->items) = at;
            }
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
                         unsigned first, struct arena *arena, struct trace_schedule *out)
{
    unsigned sessions = trace_sessions(trace);
    const struct trace_step *picked = NULL;
    uint64_t count = 0;
    *out = (struct trace_schedule){0};
    draw_order(rng, sessions, out->order);
    if (first) {
        put_first(out->order, first);
    }
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->session == out->order[0] && rng_one_in(rng, ++count)) {
            picked = step;
        }
    }
    const struct rule *rule = picked ? &machine->rules.items[picked->rule] : NULL;
    if (rule && rule->statements.count > 0) {
        struct trace_switch *at = VEC_PUSH(arena, &out->switches);
        *at = (struct trace_switch){.step = picked->id,
                                    .call = (uint32_t)rng_below(rng, rule->statements.count)};
        if (rule->model) {
            at->crossing = 1;
        } else { /* it only reads, usually */
            at->gate = TRACE_GATE_BODY;
            at->nth = 1;
        }
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

bool schedules_have(const struct schedules *tried, const struct trace_schedule *schedule)
{
    for (size_t i = 0; i < tried->items.count; i++) {
        if (trace_schedule_equal(&tried->items.items[i], schedule)) {
            return true;
        }
    }
    return false;
}

/* The order that begins with `first` and goes on with the others in the way number `way`, of
 * (sessions - 1)! ways. */
static void set_order(unsigned char *order, unsigned sessions, unsigned first, unsigned way)
{
    unsigned count = 0;
    unsigned char left[LANES_MAX];
    for (unsigned i = 1; i <= sessions; i++) {
        if (i != first) {
            left[count++] = (unsigned char)i;
        }
    }
    *order++ = (unsigned char)first;
    for (; count > 0; count--) {
        unsigned at = way % count;
        way /= count;
        *order++ = left[at];
        memmove(&left[at], &left[at + 1], count - at - 1);
    }
}

static unsigned ways_of(unsigned sessions)
{
    unsigned ways = 1;
    for (unsigned i = 2; i < sessions; i++) {
        ways *= i;
    }
    return ways;
}

/* One of those with one switch that were not tried, each with the same probability. */
static bool draw_switch(struct rng *rng, unsigned sessions, const struct points *points,
                        const struct schedules *tried, struct arena *arena,
                        struct trace_schedule *out)
{
    uint64_t count = 0;
    for (unsigned first = 1; first <= sessions; first++) {
        for (uint64_t i = 0; i < stops_of(points, first) * ways_of(sessions); i++) {
            struct trace_switch at = stop_of(points, first, i / ways_of(sessions));
            struct trace_schedule one = {.switches = {.items = &at, .count = 1, .capacity = 1}};
            set_order(one.order, sessions, first, (unsigned)(i % ways_of(sessions)));
            if (!schedules_have(tried, &one) && rng_one_in(rng, ++count)) {
                *out = (struct trace_schedule){0};
                memcpy(out->order, one.order, sizeof one.order);
                *VEC_PUSH(arena, &out->switches) = at;
            }
        }
    }
    return count > 0;
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

unsigned draw_count(const struct trace *trace, bool meets)
{
    size_t first = trace_first(trace);
    size_t before = 0;
    size_t steps = 0;
    for (size_t i = first; i < trace->steps.count; i++) {
        before += trace->steps.items[i].session == 0;
        steps += trace->steps.items[i].session > 0;
    }
    if (before == 0 && steps == trace_sessions(trace)) {
        return SCHEDULES_ALL;
    }
    return meets && steps <= trace_sessions(trace) + 1 ? SCHEDULES_MEETING : SCHEDULES;
}

unsigned draw_depth(struct rng *rng) { return rng_one_in(rng, DEEPER_ONE_IN) ? 3 : 2; }

bool draw_schedule(struct rng *rng, unsigned sessions, const struct points *points, unsigned depth,
                   const struct schedules *tried, struct arena *arena, struct trace_schedule *out)
{
    enum { TRIES = 16 };
    if (depth == 2) {
        return draw_switch(rng, sessions, points, tried, arena, out);
    }
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
