/* Makes concurrent sessions simpler: moves a step before the sessions, removes a switch, or moves
 * it from within a statement to before one. */
#include "shrink/passes/passes.h"

/* A copy whose switches may be changed. */
static struct trace copy_of(struct shrinker *shrinker)
{
    struct trace copy = shrinker_copy(shrinker);
    VEC_OWN(&shrinker->scratch, &copy.schedule.switches);
    return copy;
}

static bool try_as_numbered(struct shrinker *shrinker, struct trace *candidate)
{
    for (size_t i = 0; i < TRACE_SESSIONS_MAX; i++) {
        candidate->schedule.order[i] = 0;
    }
    return shrinker_try(shrinker, candidate);
}

/* Renumbers the sessions in their order. */
static bool renumber_sessions(struct shrinker *shrinker)
{
    const struct trace *from = &shrinker->current;
    struct trace candidate = copy_of(shrinker);
    size_t next = 0;
    while (next < from->steps.count && from->steps.items[next].session == 0) {
        next++;
    }
    for (unsigned i = 0; i < TRACE_SESSIONS_MAX && from->schedule.order[i]; i++) {
        for (size_t k = 0; k < from->steps.count; k++) {
            if (from->steps.items[k].session == from->schedule.order[i]) {
                candidate.steps.items[next] = from->steps.items[k];
                candidate.steps.items[next++].session = (unsigned char)(i + 1);
            }
        }
    }
    return next == from->steps.count && try_as_numbered(shrinker, &candidate);
}

static bool without_order(struct shrinker *shrinker)
{
    struct trace candidate = copy_of(shrinker);
    return candidate.schedule.order[0] != 0 &&
           (try_as_numbered(shrinker, &candidate) || renumber_sessions(shrinker));
}

/* Numbers the sessions that have steps from 1 on. */
static bool without_gaps(struct shrinker *shrinker)
{
    struct trace candidate = copy_of(shrinker);
    unsigned char number[TRACE_SESSIONS_MAX + 1] = {0};
    unsigned char last = 0;
    size_t kept = 0;
    for (size_t i = 0; i < candidate.steps.count; i++) {
        unsigned char *session = &candidate.steps.items[i].session;
        if (*session > 0 && number[*session] == 0) {
            number[*session] = ++last;
        }
        *session = number[*session];
    }
    unsigned char *order = candidate.schedule.order;
    for (size_t i = 0; i < TRACE_SESSIONS_MAX; i++) {
        unsigned char session = number[order[i]];
        order[i] = 0;
        if (session > 0) {
            order[kept++] = session;
        }
    }
    return last < trace_sessions(&shrinker->current) && shrinker_try(shrinker, &candidate);
}

static bool without_switch(struct shrinker *shrinker, size_t index)
{
    struct trace candidate = copy_of(shrinker);
    struct trace_schedule *schedule = &candidate.schedule;
    schedule->switches.count--;
    for (size_t i = index; i < schedule->switches.count; i++) {
        schedule->switches.items[i] = schedule->switches.items[i + 1];
    }
    return shrinker_try(shrinker, &candidate);
}

/* Moves the switch from a gate that only some schedules have to one that each statement has. */
static bool at_a_write(struct shrinker *shrinker, size_t index)
{
    struct trace candidate = copy_of(shrinker);
    struct trace_switch *to = &candidate.schedule.switches.items[index];
    if (to->nth == 0 || to->crossing == 0) {
        return false;
    }
    to->nth = 0;
    to->gate = TRACE_GATE_WRITE;
    return shrinker_try(shrinker, &candidate);
}

/* Moves the switch before the statement or before the next one, where it needs no gate. */
static bool outside_statement(struct shrinker *shrinker, size_t index)
{
    for (uint32_t call = 0; call < 2; call++) {
        struct trace candidate = copy_of(shrinker);
        struct trace_switch *to = &candidate.schedule.switches.items[index];
        if (!trace_is_inside(to) || to->act != TRACE_YIELD) {
            return false;
        }
        to->crossing = to->nth = 0;
        to->gate = TRACE_GATE_WRITE;
        to->call += call;
        if (shrinker_try(shrinker, &candidate)) {
            return true;
        }
    }
    return false;
}

/* Moves the session's first step before the sessions. */
static bool move_before(struct shrinker *shrinker, size_t index)
{
    struct trace candidate = copy_of(shrinker);
    edit_before_sessions(&candidate, index);
    return shrinker_try(shrinker, &candidate);
}

void pass_schedule(struct shrinker *shrinker)
{
    const struct trace *trace = &shrinker->current;
    if (trace_sessions(trace) == 0) {
        return;
    }
    for (size_t i = shrinker_first(shrinker); i < trace->steps.count && !shrinker->stopped; i++) {
        if (edit_begins_session(trace, i)) {
            (void)move_before(shrinker, i);
        }
    }
    (void)without_gaps(shrinker);
    (void)without_order(shrinker);
    for (size_t i = trace->schedule.switches.count; i-- > 0 && !shrinker->stopped;) {
        if (i < trace->schedule.switches.count && !without_switch(shrinker, i) &&
            i < trace->schedule.switches.count) {
            (void)(outside_statement(shrinker, i) || at_a_write(shrinker, i));
        }
    }
}
