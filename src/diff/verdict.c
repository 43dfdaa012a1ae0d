#include "diff/verdict.h"

const struct divergence *diverges(const struct comparing_answers *answers,
                                  const struct divergence *found, const char *nature)
{
    const struct comparing_sides *sides = answers->sides;
    if (sides->learn && nature != NULL &&
        natures_loosen(sides->natures, answers->asked->place, nature)) {
        return NULL;
    }
    struct divergence *out = arena_memdup(sides->arena, found, sizeof *found);
    out->place = answers->asked->place;
    out->context = answers->asked->context;
    out->error_before = answers->before->status == ANSWER_ERROR ? &answers->before->error : NULL;
    out->error_after = answers->after->status == ANSWER_ERROR ? &answers->after->error : NULL;
    return out;
}
