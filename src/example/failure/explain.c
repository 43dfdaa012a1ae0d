#include "example/failure/fail.h"

#include "example/engine.h"
#include "example/step/invariant.h"

#include "base/utf8.h"

#include <inttypes.h>

/* The number of steps shown, and the size of each. */
enum { STEPS_EXPLAINED = 6, STEP_EXPLAINED_MAX = 200 };

/* The step at which an error in the machine's code arose, because its answer is being compared or
 * it is being computed; otherwise NULL. Also the number of steps before it. */
static const struct step *step_at_fault(const struct example *example, size_t *before)
{
    const struct pending *pending = flight_first(&example->flight);
    const struct step *step = pending ? pending->step : example->working;
    *before = pending && pending->check ? pending->check->trace : example->steps.count;
    for (size_t i = 0; step && i < example->steps.count; i++) {
        if (example->steps.items[i] == step) {
            *before = i;
        }
    }
    return step;
}

static void explain_step(struct example *example, const struct step *step, const char *note,
                         struct error *err)
{
    const struct shown_step shown = shown_step(&example->arena, step);
    struct strbuf line = {0};
    trace_print_step(&shown, &line);
    bool cut = line.size > STEP_EXPLAINED_MAX;
    strbuf_truncate(&line, cut ? utf8_cut(line.data, STEP_EXPLAINED_MAX) : line.size);
    error_detail(err, "  %s%s%s", strbuf_text(&line), cut ? "…" : "", note);
    strbuf_free(&line);
}

void explain_mistake(struct example *example, struct error *err)
{
    size_t before;
    const struct step *step = step_at_fault(example, &before);
    size_t first = before > STEPS_EXPLAINED ? before - STEPS_EXPLAINED : 0;
    const char *where =
        first < before || step ? ", whose last steps were" : ", before its first step";
    if (example->plan.pinned) {
        error_detail(err, "in the pinned example '%s'%s", example->plan.pinned->name, where);
    } else {
        error_detail(err, "in example %" PRIu64 "%s", example->plan.number, where);
    }
    for (size_t i = first; i < before; i++) {
        explain_step(example, example->steps.items[i], "", err);
    }
    if (step) {
        explain_step(example, step, "   <- here", err);
    }
}

const char *mistake_text(struct arena *arena, const struct error *mistake)
{
    if (!mistake->pos.source) {
        return arena_strdup(arena, mistake->message);
    }
    struct source_place place = source_place(mistake->pos);
    return arena_printf(arena, "%s:%zu:%zu: %s", mistake->pos.source->name, place.line,
                        place.column, mistake->message);
}
