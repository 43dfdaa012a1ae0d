#include "run/passing.h"

#include "examine/examine.h"

#include <string.h>

static size_t count_rules(const struct machine *machine, const struct run_stats *example)
{
    size_t count = 0;
    for (size_t i = 0; i < machine->rules.count; i++) {
        count += example->rules[i].ran > 0;
    }
    return count;
}

/* Whether it shows more than another one. */
static bool shows_more(const struct passing_example *example, const struct passing_example *other)
{
    return example->rules > other->rules ||
           (example->rules == other->rules && example->steps > other->steps);
}

void passing_offer(const struct findings *findings, uint64_t number,
                   const struct run_stats *example)
{
    struct passing_examples *passing = &findings->result->passing;
    size_t most = findings->options->open_passing;
    struct passing_example offered = {
        .number = number,
        .rules = count_rules(findings->engine->machine, example),
        .steps = example->steps,
    };
    size_t least = 0;
    if (!most || !offered.steps || findings->options->settings.sessions > 1) {
        return;
    }
    if (passing->count < most) {
        *VEC_PUSH(findings->arena, passing) = offered;
        return;
    }
    for (size_t i = 1; i < passing->count; i++) {
        least = shows_more(&passing->items[i], &passing->items[least]) ? least : i;
    }
    if (shows_more(&offered, &passing->items[least])) {
        memmove(&passing->items[least], &passing->items[least + 1],
                (passing->count - least - 1) * sizeof *passing->items);
        passing->items[passing->count - 1] = offered;
    }
}

/* The example's number decides all that it draws, so it takes the same steps. */
static bool tell_passing(const struct findings *findings, struct passing_example *passing,
                         struct error *err)
{
    const struct way *forced = findings->options->way;
    const struct example_plan plan = {.way = forced ? forced : way_of(passing->number),
                                      .near = !forced,
                                      .number = passing->number};
    struct examiner examiner = {.engine = findings->engine, .arena = findings->arena};
    struct example_result result;
    bool ok = passing_example_tell(&examiner, &plan, &result, &passing->account, err);
    if (!ok || !passing->account || result.stats->steps != passing->steps) {
        passing->account = NULL;
    }
    return ok;
}

bool passing_tell(const struct findings *findings, struct error *err)
{
    struct passing_examples *passing = &findings->result->passing;
    size_t told = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < passing->count && !clock_is_up(&findings->engine->options.clock);
         i++) {
        ok = tell_passing(findings, &passing->items[i], err);
        if (passing->items[i].account) {
            passing->items[told++] = passing->items[i];
        }
    }
    passing->count = told;
    return ok;
}
