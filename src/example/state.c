#include "example/state.h"

#include "example/engine.h"
#include "example/step/advance.h"

void example_begin(struct engine *engine, const struct example_plan *plan)
{
    struct example *example = &engine->example;
    const struct settings *settings = engine->options.settings;
    arena_reset(&example->arena);
    arena_reset(&example->flying);
    *example = (struct example){.engine = engine,
                                .plan = *plan,
                                .ahead = engine->options.ahead && !plan->stepwise,
                                .guarded = plan->guarded || (engine->options.differs && !plan->way),
                                .migrates_at = SIZE_MAX,
                                .arena = example->arena,
                                .flying = example->flying,
                                .trying = example->trying};
    rng_seed(&example->rng, settings->seed, plan->number);
    example->novelty.last.arena = example->novelty.shapes.arena = &example->arena;
    example->way = plan->way ? plan->way : &example_ways[WAY_UNIFORM];
    bundles_begin(&example->bundles, engine->machine, &example->arena);
    stats_begin(&example->stats, engine->machine, settings->steps, engine->options.measure,
                &example->arena);
    example->used = ARENA_ARRAY(&example->arena, int64_t, engine->machine->rules.count);
    example->worked = ARENA_ARRAY(&example->arena, bool, engine->machine->rules.count);
    example->memory = draw_memory_new(&example->arena);
    example->next_id = (uint32_t)engine->machine->initialize.count;
    if (plan->trace) {
        example->trace.schedule = plan->trace->schedule;
    }
    lang_state_begin(&example->state, engine->machine->module, &example->arena, example);
    if (!plan->quiet) {
        example->state.print = engine->options.print;
        example->state.print_host = engine->options.print_host;
    }
    for (size_t i = 0; i < engine->machine->bundles.count; i++) {
        lang_set_global(&example->state, engine->machine->bundles.items[i].global,
                        bundle_value(&example->bundles, i));
    }
    now_begin(example);
}

void example_keep(struct example *example, struct keeping *keeping)
{
    example->state.caller.keeping = keeping;
    if (keeping) {
        keeping->next = 0;
    }
}

void example_note(struct example *example, uint64_t *counter, uint64_t count)
{
    if (count) {
        *VEC_PUSH(&example->arena, &example->log.events) = (struct stats_event){counter, count};
    }
}

void example_note_why(struct example *example, const struct rule *rule, unsigned why)
{
    struct rule_stats *stats = &example->stats.rules[rule->index];
    if (rule->initialize) {
        return;
    }
    example->choosing.why[rule->index] = why;
    if (why == DEAD_END_GIVEN_UP) {
        example_note(example, &stats->given_up, 1);
        example_note(example, &example->stats.given_up, 1);
    } else {
        example_note(example, &stats->blocked[why], 1);
    }
}

bool example_look(struct example *example, const struct lang_code *code, struct value *locals,
                  struct value *out, struct error *err)
{
    return lang_look(&example->state, code, locals, &example->flying, out, err);
}
