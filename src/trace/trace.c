#include "trace/trace.h"

#include <string.h>

struct trace trace_copy(struct arena *arena, const struct trace *trace)
{
    struct trace copy = {0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        struct trace_step *step = VEC_PUSH(arena, &copy.steps);
        *step = trace->steps.items[i];
        step->choices = choices_copy(arena, &trace->steps.items[i].choices);
    }
    copy.schedule = trace->schedule;
    VEC_OWN(arena, &copy.schedule.switches);
    return copy;
}

struct trace trace_part(struct arena *arena, const struct trace *trace, unsigned session)
{
    struct trace part = {0};
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        if (step->session == 0 || step->session == session) {
            *VEC_PUSH(arena, &part.steps) = *step;
        }
    }
    return part;
}

unsigned trace_sessions(const struct trace *trace)
{
    unsigned count = 0;
    for (size_t i = 0; i < trace->steps.count; i++) {
        unsigned session = trace->steps.items[i].session;
        count = session > count ? session : count;
    }
    return count;
}

bool trace_point_equal(const struct trace_switch *a, const struct trace_switch *b)
{
    return a->step == b->step && a->call == b->call && a->crossing == b->crossing &&
           a->gate == b->gate && a->nth == b->nth;
}

bool trace_is_inside(const struct trace_switch *point)
{
    return point->crossing > 0 || point->nth > 0;
}

bool trace_schedule_uses(const struct trace_schedule *schedule, enum trace_gate gate)
{
    for (size_t i = 0; i < schedule->switches.count; i++) {
        if (schedule->switches.items[i].gate == gate) {
            return true;
        }
    }
    return false;
}

bool trace_deaths(const struct trace *trace)
{
    size_t i = 0;
    while (i < trace->steps.count && trace->steps.items[i].death == DEATH_NONE) {
        i++;
    }
    return i < trace->steps.count;
}

bool trace_schedule_acts(const struct trace_schedule *schedule, enum trace_act act)
{
    for (size_t i = 0; i < schedule->switches.count; i++) {
        if (schedule->switches.items[i].act == act) {
            return true;
        }
    }
    return false;
}

bool trace_schedule_equal(const struct trace_schedule *a, const struct trace_schedule *b)
{
    if (memcmp(a->order, b->order, sizeof a->order) != 0 ||
        a->switches.count != b->switches.count) {
        return false;
    }
    for (size_t i = 0; i < a->switches.count; i++) {
        const struct trace_switch *x = &a->switches.items[i];
        const struct trace_switch *y = &b->switches.items[i];
        if (!trace_point_equal(x, y) || x->act != y->act) {
            return false;
        }
    }
    return true;
}

bool trace_step_equal(const struct trace_step *a, const struct trace_step *b)
{
    return a->id == b->id && a->initialize == b->initialize && a->session == b->session &&
           a->rule == b->rule && a->death == b->death && a->gate == b->gate &&
           a->again == b->again && choices_equal(&a->choices, &b->choices);
}

bool trace_equal(const struct trace *a, const struct trace *b)
{
    if (a->steps.count != b->steps.count || !trace_schedule_equal(&a->schedule, &b->schedule)) {
        return false;
    }
    for (size_t i = 0; i < a->steps.count; i++) {
        if (!trace_step_equal(&a->steps.items[i], &b->steps.items[i])) {
            return false;
        }
    }
    return true;
}

size_t trace_first(const struct trace *trace)
{
    size_t first = 0;
    while (first < trace->steps.count && trace->steps.items[first].initialize) {
        first++;
    }
    return first;
}

size_t trace_length(const struct trace *trace) { return trace->steps.count - trace_first(trace); }

bool trace_runs(const struct trace *trace, size_t rule)
{
    size_t i = trace_first(trace);
    while (i < trace->steps.count && trace->steps.items[i].rule != rule) {
        i++;
    }
    return i < trace->steps.count;
}
