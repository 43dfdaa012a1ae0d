#include "engine/narrate.h"

#include "engine/engine.h"

/* NULL: nothing is told. */
static const struct narrator *narrator_of(const struct example *example)
{
    const struct engine *engine = example->engine;
    return engine->tell && !example->plan->quiet ? engine->options->narrator : NULL;
}

static const struct narrator *narrator_of_statements(const struct example *example)
{
    return example->engine->options->tell_statements ? narrator_of(example) : NULL;
}

static void tell(struct example *example, struct strbuf *text)
{
    struct engine *engine = example->engine;
    if (text->size) {
        engine->tell(engine->print_host, text->data, text->size);
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
    const struct example_plan *plan = example->plan;
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

const char *narrate_call(struct example *example, const struct backend_call *call)
{
    const struct narrator *narrator = narrator_of_statements(example);
    struct strbuf text = {0};
    if (!narrator) {
        return NULL;
    }
    narrator->statement(call, &text);
    const char *copy = strbuf_copy(&text, &example->arena);
    strbuf_free(&text);
    return copy;
}

void narrate_answer(struct example *example, const char *call, const struct answer *answer)
{
    const struct narrator *narrator = narrator_of_statements(example);
    if (narrator && (call || answer->status == ANSWER_ERROR)) {
        strbuf_adds(&example->engine->telling, call ? call : "");
        narrator->answer(answer, &example->engine->telling);
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
