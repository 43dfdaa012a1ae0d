#include "sim.h"

#include <stdlib.h>
#include <string.h>

struct sim_item {
    int64_t value;
    uint32_t step;
};

struct sim_run {
    const struct sim_system *system;
    struct arena *arena;
    struct rng *rng;
    void *state;
    struct {
        VEC(struct sim_item) items;
    } collections[SIM_COLLECTIONS];
    struct trace *out;
    uint32_t next_id;
};

static int64_t toward(const struct sim_draw *draw)
{
    return draw->min > 0 ? draw->min : draw->max < 0 ? draw->max : 0;
}

static int64_t fresh_integer(struct rng *rng, const struct sim_draw *draw)
{
    uint64_t width = (uint64_t)draw->max - (uint64_t)draw->min;
    if (rng_one_in(rng, 2) && width > 16) {
        int64_t near = toward(draw) + (int64_t)rng_below(rng, 10);
        return near > draw->max ? draw->max : near;
    }
    return (int64_t)((uint64_t)draw->min + rng_below(rng, width + 1));
}

static int64_t integer_value(struct sim_run *run, const struct sim_draw *draw,
                             const struct choice *choice)
{
    if (choice && choice->kind == CHOICE_INTEGER) {
        int64_t value = choice->as.integer.value;
        return value < draw->min ? draw->min : value > draw->max ? draw->max : value;
    }
    return run->rng ? fresh_integer(run->rng, draw) : toward(draw);
}

/* Index in the collection that the reference stands for; its count where it is gone. */
static size_t reference_index(struct sim_run *run, int collection, const struct choice *choice)
{
    size_t count = run->collections[collection].items.count;
    if (count == 0) {
        return 0;
    }
    if (!choice || choice->kind != CHOICE_REFERENCE) {
        return run->rng ? rng_below(run->rng, count) : 0;
    }
    const struct reference *reference = &choice->as.reference;
    if (reference->step == REFERENCE_BY_POSITION) {
        return reference->position < count ? reference->position : count - 1;
    }
    size_t i = 0;
    while (i < count && run->collections[collection].items.items[i].step != reference->step) {
        i++;
    }
    return i;
}

static bool draw_values(struct sim_run *run, const struct trace_step *step,
                        const struct sim_rule *rule, struct choices *record, int64_t *values)
{
    for (size_t i = 0; rule->draws[i].kind != SIM_END; i++) {
        const struct sim_draw *draw = &rule->draws[i];
        const struct choice *choice =
            i < step->choices.items.count ? &step->choices.items.items[i] : NULL;
        struct choice used = {0};
        if (draw->kind == SIM_INTEGER) {
            values[i] = integer_value(run, draw, choice);
            used.kind = CHOICE_INTEGER;
            used.as.integer.value = values[i];
            used.as.integer.min = draw->min;
            used.as.integer.max = draw->max;
            used.as.integer.toward = toward(draw);
        } else {
            size_t index = reference_index(run, draw->collection, choice);
            if (index >= run->collections[draw->collection].items.count) {
                return false;
            }
            const struct sim_item *item = &run->collections[draw->collection].items.items[index];
            values[i] = item->value;
            used.kind = CHOICE_REFERENCE;
            used.as.reference = (struct reference){.step = item->step, .position = index};
        }
        *VEC_PUSH(run->arena, &record->items) = used;
    }
    return true;
}

static enum sim_verdict run_step(struct sim_run *run, const struct trace_step *step)
{
    const struct sim_rule *rule = &run->system->rules[step->rule];
    int64_t values[SIM_DRAWS] = {0};
    int64_t output = 0;
    struct choices record = {0};
    if (!draw_values(run, step, rule, &record, values)) {
        return SIM_REFUSED;
    }
    enum sim_verdict verdict = run->system->step(run->state, step->rule, values, &output);
    if (verdict == SIM_REFUSED) {
        return verdict;
    }
    struct trace_step *executed = VEC_PUSH(run->arena, &run->out->steps);
    *executed = (struct trace_step){.id = step->id, .rule = step->rule, .choices = record};
    if (rule->target >= 0) {
        *VEC_PUSH(run->arena, &run->collections[rule->target].items) =
            (struct sim_item){.value = output, .step = step->id};
    }
    return verdict;
}

bool sim_run(const struct sim_system *system, const struct trace *trace, struct rng *rng,
             size_t steps, struct arena *arena, struct trace *out)
{
    *out = (struct trace){0};
    struct sim_run run = {.system = system, .arena = arena, .out = out};
    run.state = arena_zalloc(arena, system->state_size);
    system->begin(run.state);
    for (size_t i = 0; i < trace->steps.count; i++) {
        if (trace->steps.items[i].id >= run.next_id) {
            run.next_id = trace->steps.items[i].id + 1;
        }
        if (run_step(&run, &trace->steps.items[i]) == SIM_FAILED) {
            return true;
        }
    }
    run.rng = rng;
    for (size_t tries = 0; rng && out->steps.count < steps && tries < steps * 10; tries++) {
        struct trace_step fresh = {.id = run.next_id++, .rule = rng_below(rng, system->rule_count)};
        if (run_step(&run, &fresh) == SIM_FAILED) {
            return true;
        }
    }
    return false;
}

uint64_t sim_find(const struct sim_system *system, uint64_t seed, size_t steps, struct arena *arena,
                  struct trace *out)
{
    for (uint64_t example = 1; example < 100000; example++) {
        struct rng rng;
        rng_seed(&rng, seed, example);
        struct arena_mark mark = arena_mark(arena);
        if (sim_run(system, &(struct trace){0}, &rng, steps, arena, out)) {
            return example;
        }
        arena_rewind(arena, mark);
    }
    return 0;
}

static size_t position_of(const struct trace *trace, uint32_t id)
{
    size_t i = 0;
    while (i < trace->steps.count && trace->steps.items[i].id != id) {
        i++;
    }
    return i;
}

void sim_print(const struct sim_system *system, const struct trace *trace, struct strbuf *out)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        const struct trace_step *step = &trace->steps.items[i];
        strbuf_addf(out, "%s%s(", i ? "; " : "", system->rules[step->rule].name);
        for (size_t k = 0; k < step->choices.items.count; k++) {
            const struct choice *choice = &step->choices.items.items[k];
            if (choice->kind == CHOICE_INTEGER) {
                strbuf_addf(out, "%s%lld", k ? "," : "", (long long)choice->as.integer.value);
            } else {
                strbuf_addf(out, "%s@%zu", k ? "," : "",
                            position_of(trace, choice->as.reference.step));
            }
        }
        strbuf_addc(out, ')');
    }
}
