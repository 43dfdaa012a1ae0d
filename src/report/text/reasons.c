#include "report/text/reasons.h"

#include "account/show.h"

const char *show_reasons(struct arena *arena, const uint64_t *counts, size_t count)
{
    static const char *const words[DEAD_END_REASONS] = {
        [BLOCKED_PRECONDITION] = "precondition false",
        [BLOCKED_BUNDLE] = "bundle empty",
        [BLOCKED_EMPTY] = "no value to draw for an argument",
        [BLOCKED_LIMIT] = "limit reached",
        [BLOCKED_WEIGHT] = "weight 0",
        [BLOCKED_TIME] = "the migration was at another step",
        [DEAD_END_GIVEN_UP] = "`where` or a filter refused what was drawn",
    };
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        if (counts[i]) {
            text = arena_printf(arena, "%s%s%s (%s)", text, *text ? ", " : "", words[i],
                                show_count(arena, counts[i]));
        }
    }
    return text;
}

const char *show_raised(struct arena *arena, const struct rule_stats *stats)
{
    const char *text = "";
    for (size_t i = 0; i < stats->raised.count; i++) {
        const struct raised_count *raised = &stats->raised.items[i];
        text = arena_printf(arena, "%s%s%s (%s)", text, i ? ", " : "",
                            show_condition(raised->sqlstate), show_count(arena, raised->count));
    }
    return text;
}
