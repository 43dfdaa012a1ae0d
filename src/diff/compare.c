#include "diff/compare.h"

#include "diff/accepted.h"
#include "diff/verdict.h"

static const char *count_text(const struct comparing_answers *answers, const struct answer *answer)
{
    return answer->command != NULL
               ? answer->command
               : arena_printf(answers->sides->arena, "%lld", (long long)answer->count);
}

/* The number of rows affected; that of a query is the number of its rows. */
static const struct divergence *compare_counts(const struct comparing_answers *answers)
{
    const struct answer *before = answers->before;
    const struct answer *after = answers->after;
    if (before->column_count > 0 || before->count == after->count ||
        natures_of(answers->sides->natures, answers->asked->place, NATURES_COUNT) == NATURE_FREE) {
        return NULL;
    }
    return diverges(answers,
                    &(struct divergence){.kind = DIVERGES_COUNT,
                                         .before = count_text(answers, before),
                                         .after = count_text(answers, after)},
                    NATURES_COUNT);
}

static const struct divergence *compare_results(const struct comparing_answers *answers)
{
    struct arena *arena = answers->sides->arena;
    struct arena_mark mark = arena_mark(arena);
    struct shared_rows rows;
    const struct divergence *found = compare_columns(answers, &rows);
    found = found != NULL ? found : compare_counts(answers);
    found = found != NULL ? found : compare_rows(answers, &rows);
    if (found == NULL) {
        arena_rewind(arena, mark);
    }
    return found;
}

static const struct divergence *compare(const struct comparing_answers *answers)
{
    if (answers->before->status == ANSWER_SKIPPED || answers->after->status == ANSWER_SKIPPED) {
        return NULL;
    }
    if (answers->before->status == ANSWER_ERROR || answers->after->status == ANSWER_ERROR) {
        return compare_errors(answers);
    }
    const struct divergence *found = compare_results(answers);
    return found != NULL ? found : compare_notifications(answers);
}

/* As compare, but joins nothing if they differ. */
static const struct divergence *compare_anew(const struct comparing_answers *answers)
{
    struct pairs *pairs = answers->sides->pairs;
    size_t known = pairs_count(pairs);
    const struct divergence *found = compare(answers);
    if (found != NULL) {
        pairs_cut(pairs, known);
    }
    return found;
}

/* What was accepted of two answers, so that the rest was compared. */
struct rest {
    struct comparing_answers answers;
    const struct divergence *found;
};

/* What is left of a divergence without what is accepted: NULL, or the first thing that is not. */
static const struct divergence *not_accepted(const struct comparing_answers *answers,
                                             const struct divergence *found,
                                             enum accepted_parts *parts)
{
    struct accepted *accepted = answers->sides->accepted;
    struct arena *arena = answers->sides->arena;
    struct comparing_answers left = *answers;
    VEC(struct rest) rests = {0};
    *parts = ACCEPTED_NOTHING;
    while (found != NULL && !accepted_whole(accepted, answers->asked, found)) {
        struct answer *rest = ARENA_ARRAY(arena, struct answer, 2);
        if (!accepted_columns(accepted, &left, found, rest)) {
            return found;
        }
        *VEC_PUSH(arena, &rests) = (struct rest){left, found};
        left.before = &rest[0];
        left.after = &rest[1];
        found = compare_anew(&left);
    }
    for (size_t i = 0; i < rests.count; i++) {
        bool typed = accepted_saw_columns(accepted, &rests.items[i].answers, rests.items[i].found);
        *parts = typed ? *parts : ACCEPTED_COLUMNS;
    }
    *parts = found != NULL ? ACCEPTED_WHOLE : *parts;
    return NULL;
}

const struct divergence *sides_compare(const struct comparing_sides *sides,
                                       const struct asked *asked, const struct answer *before,
                                       const struct answer *after)
{
    const struct comparing_answers answers = {sides, asked, before, after};
    enum accepted_parts parts = ACCEPTED_NOTHING;
    const struct divergence *found = compare_anew(&answers);
    if (found != NULL && sides->accepted != NULL) {
        found = not_accepted(&answers, found, &parts);
    }
    if (sides->expects != NULL) {
        *sides->expects = parts;
    }
    return found;
}

bool sides_part(const struct answer *before, const struct answer *after)
{
    return (before->status == ANSWER_OK && after->status == ANSWER_ERROR) ||
           (before->status == ANSWER_ERROR && after->status == ANSWER_OK);
}
