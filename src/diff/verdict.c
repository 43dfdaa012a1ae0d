#include "diff/verdict.h"

/* A copy: an answer is its taker's, and may be gone before the divergence is told. */
static const struct server_error *error_of(struct arena *arena, const struct answer *answer)
{
    return answer->status == ANSWER_ERROR
               ? arena_memdup(arena, &answer->error, sizeof answer->error)
               : NULL;
}

const struct divergence *diverges(const struct comparing_answers *answers,
                                  const struct divergence *found, const char *nature)
{
    const struct comparing_sides *sides = answers->sides;
    if (sides->purpose == LEARNS && nature != NULL &&
        natures_loosen(sides->natures, answers->asked->place, nature)) {
        return NULL;
    }
    if (sides->purpose == LEARNS) {
        natures_give_up(sides->natures, answers->asked->place);
    }
    struct divergence *out = arena_memdup(sides->arena, found, sizeof *found);
    out->place = answers->asked->place;
    out->context = answers->asked->context;
    out->error_before = error_of(sides->arena, answers->before);
    out->error_after = error_of(sides->arena, answers->after);
    return out;
}
