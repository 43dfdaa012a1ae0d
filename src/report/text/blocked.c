#include "report/text/show.h"
#include "report/text/text.h"

static const char *const blocked_words[DEAD_END_REASONS] = {
    [BLOCKED_PRECONDITION] = "precondition false",
    [BLOCKED_BUNDLE] = "bundle empty",
    [BLOCKED_EMPTY] = "an argument without a value",
    [BLOCKED_LIMIT] = "limit reached",
    [BLOCKED_WEIGHT] = "weight 0",
    [DEAD_END_GIVEN_UP] = "`where` or a filter refused what was drawn",
};

static void add_reasons(struct strbuf *out, const uint64_t *counts, size_t count)
{
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        if (counts[i]) {
            strbuf_addf(out, "%s%s (", separator, blocked_words[i]);
            show_count(out, counts[i]);
            strbuf_addc(out, ')');
            separator = ", ";
        }
    }
}

void text_add_blocked(struct strbuf *out, const struct rule_stats *stats)
{
    add_reasons(out, stats->blocked, BLOCKED_COUNT);
}

void text_add_dead_ends(struct strbuf *out, const struct rule_stats *stats)
{
    add_reasons(out, stats->dead_ends, DEAD_END_REASONS);
}
