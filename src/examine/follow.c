#include "examine/examine.h"
#include "example/divergence.h"

bool failure_follow(struct examiner *examiner, struct failure *failure, struct error *err)
{
    const struct divergence *divergence = failure->divergence;
    if (failure->kind != FAILURE_DIFFERS || failure->at_end || failure->pinned ||
        divergence->kind == DIVERGES_MIGRATE) {
        return true;
    }
    struct failure state = *failure; /* no invariant is to be asked */
    struct trace before = failure->trace;
    struct rerun again;
    before.steps.count -= failure->invariant == NULL;
    state.invariant = NULL;
    if (trace_length(&before) == 0) {
        return true;
    }
    if (!rerun_trace(examiner, &before, &state, (struct rerun_way){.only = true}, &again, err)) {
        return false;
    }
    const struct failure *first = again.failure;
    if (first && first->kind == FAILURE_DIFFERS && first->at_end) {
        failure->follows = arena_strdup(examiner->arena, first->identity);
    }
    return true;
}
