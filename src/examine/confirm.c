#include "examine/examine.h"

#include "example/compare/compare.h"
#include "example/failure/fail.h"

#include <assert.h>
#include <string.h>

/* What a step showed, as far as two runs of it can be compared. */
struct observation {
    uint32_t id;
    const struct rule *rule;
    bool raised;
    char sqlstate[6];
    int64_t count;
};

struct observations {
    VEC(struct observation) steps;
};

/* The first `count` steps: those behind them ran ahead of what failed. */
static struct observations observe(struct arena *arena, const struct example *example, size_t count)
{
    struct observations out = {0};
    for (size_t i = 0; i < count && i < example->steps.count; i++) {
        const struct step *step = example->steps.items[i];
        struct observation *seen = VEC_PUSH(arena, &out.steps);
        *seen = (struct observation){step->id, step->rule, step->raised, "", step->answer.count};
        memcpy(seen->sqlstate, step->sqlstate, sizeof seen->sqlstate);
    }
    return out;
}

static const char *seen_text(struct arena *arena, const struct observation *seen)
{
    if (seen->raised) {
        return arena_printf(arena, "error %s", seen->sqlstate);
    }
    return seen->count < 0 ? "no count of rows" : rows_text(arena, (size_t)seen->count);
}

static bool looks_same(const struct observation *a, const struct observation *b)
{
    return a->id == b->id && a->raised == b->raised && strcmp(a->sqlstate, b->sqlstate) == 0 &&
           a->count == b->count;
}

/* The first step that the runs disagree about, before what failed. */
static const char *first_difference(struct arena *arena, const struct observations *first,
                                    const struct observations *second, size_t steps)
{
    size_t shown = 0;
    for (size_t i = 0; i < first->steps.count && shown <= steps; i++) {
        const struct observation *a = &first->steps.items[i];
        shown += !a->rule->initialize;
        if (i >= second->steps.count || second->steps.items[i].id != a->id) {
            return arena_printf(arena, "step %zu, %s, could not run again", shown, a->rule->name);
        }
        const struct observation *b = &second->steps.items[i];
        if (!looks_same(a, b)) {
            return arena_printf(arena, "step %zu, %s, gave %s, and when run again %s", shown,
                                a->rule->name, seen_text(arena, a), seen_text(arena, b));
        }
    }
    return NULL;
}

bool failure_confirm(struct examiner *examiner, struct failure *failure, struct error *err)
{
    struct engine *engine = examiner->engine;
    struct arena *arena = examiner->arena;
    assert(failure != engine->example.failure); /* running it again empties the example's arena */
    size_t count = failure->trace.steps.count;
    struct observations first = observe(arena, &engine->example, count);
    struct rerun again;
    examiner->mistakes = 0;
    bool ok = rerun_trace(examiner, &failure->trace, failure, (struct rerun_way){0}, &again, err);
    if (!ok) {
        return false;
    }
    if (again.outcome == OUTCOME_FAIL) {
        return true;
    }
    struct observations second = observe(arena, &engine->example, count);
    failure->flaky = true;
    failure->flaky_difference = first_difference(arena, &first, &second, failure->step);
    if (again.outcome == OUTCOME_MISTAKE) {
        failure->flaky_difference =
            arena_printf(arena, "when run again it ran into a mistake in the model: %s",
                         mistake_text(arena, &examiner->mistake));
    } else if (!failure->flaky_difference && again.failure) {
        failure->flaky_difference =
            arena_printf(arena, "when run again it failed differently: %s, after step %zu",
                         again.failure->identity, again.failure->step);
    } else if (!failure->flaky_difference) {
        failure->flaky_difference =
            arena_printf(arena,
                         failure->kind == FAILURE_DIFFERS
                             ? "after step %zu, both databases agreed when it was run again"
                             : "after step %zu, what had failed held when run again",
                         failure->step);
    }
    return true;
}
