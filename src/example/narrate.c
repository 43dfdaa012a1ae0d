#include "example/narrate.h"

#include "example/engine.h"

#include "example/failure/shown.h"

/* NULL: nothing is told. */
static const struct narrator *narrator_of(const struct example *example)
{
    const struct engine *engine = example->engine;
    return engine->tell && !example->plan.quiet ? engine->narrator : NULL;
}

static const struct narrator *narrator_of_statements(const struct example *example)
{
    return example->engine->tell_statements ? narrator_of(example) : NULL;
}

static void tell(struct example *example, struct strbuf *text)
{
    struct engine *engine = example->engine;
    if (text->size) {
        engine->tell(engine->options.print_host, text->data, text->size);
    }
    strbuf_free(text);
}

/* What a step or an invariant sent, behind its own line. */
static void tell_with_statements(struct example *example, struct strbuf *text)
{
    struct strbuf *statements = &example->engine->telling;
    strbuf_add(text, strbuf_text(statements), statements->size);
    strbuf_clear(statements);
    tell(example, text);
}

void narrate_begin(struct example *example)
{
    const struct narrator *narrator = narrator_of(example);
    const struct example_plan *plan = &example->plan;
    struct strbuf text = {0};
    strbuf_clear(&example->engine->telling);
    if (narrator) {
        const struct told_example told = {
            .number = plan->number,
            .pinned = plan->pinned ? plan->pinned->name : NULL,
            .stored = plan->trace && !plan->generate,
        };
        narrator->example(&told, &text);
        tell(example, &text);
    }
}

static void add_names(struct example *example, const struct place *place, struct told_names *out)
{
    for (size_t i = 0; i < place->arrivals.count; i++) {
        const struct arrival *arrival = &place->arrivals.items[i];
        *VEC_PUSH(&example->flying, &out->items) = (struct shown_arg){
            .name = place->name, .value = arrival->value, .reference = arrival->name};
    }
}

static struct told_names names_by_now(struct example *example)
{
    struct bundles *bundles = &example->bundles;
    struct told_names names = {0};
    for (size_t i = 0; i < bundles->count; i++) {
        add_names(example, &bundles->items[i].place, &names);
    }
    for (size_t i = 0; i < bundles->places.count; i++) {
        add_names(example, bundles->places.items[i], &names);
    }
    return names;
}

const char *narrate_call(struct example *example, const struct backend_call *call)
{
    const struct narrator *narrator = narrator_of_statements(example);
    struct strbuf text = {0};
    if (!narrator) {
        return NULL;
    }
    const struct told_names names = names_by_now(example);
    narrator->statement(call, &names, &text);
    const char *copy = strbuf_copy(&text, &example->arena);
    strbuf_free(&text);
    return copy;
}

void narrate_answer(struct example *example, const char *call, const struct answer *answer)
{
    const struct narrator *narrator = narrator_of_statements(example);
    if (narrator && (call || answer->status == ANSWER_ERROR)) {
        const struct told_names names = names_by_now(example);
        strbuf_adds(&example->engine->telling, call ? call : "");
        narrator->answer(answer, &names, &example->engine->telling);
    }
}

void narrate_step(struct example *example, const struct step *step)
{
    const struct narrator *narrator =
        step->number ? narrator_of(example) : narrator_of_statements(example);
    struct strbuf text = {0};
    if (narrator) {
        const struct told_step told = {
            .shown = shown_step(&example->arena, step),
            .number = step->number,
            .sqlstate = step->raised ? step->sqlstate : NULL,
        };
        narrator->step(&told, &text);
        tell_with_statements(example, &text);
    }
}

void narrate_invariant(struct example *example, const struct invariant *invariant)
{
    const struct narrator *narrator = narrator_of_statements(example);
    struct strbuf text = {0};
    if (narrator) {
        narrator->invariant(invariant, &text);
        tell_with_statements(example, &text);
    }
}

void narrate_end(struct example *example)
{
    const struct narrator *narrator = narrator_of(example);
    struct strbuf text = {0};
    if (narrator) {
        narrator->end(example->failure, example->dead_end, &text);
        tell(example, &text);
    }
}
