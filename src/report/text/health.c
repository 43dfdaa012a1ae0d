/* The health of a run: what ran, and yet tested less than it seems. What did not run at all stands
 * in text.c. */
#include "report/text/show.h"
#include "report/text/text.h"

#include <assert.h>
#include <inttypes.h>

enum {
    MIN_COUNT = 20,       /* steps or draws before a share of them says anything */
    REFUSED_PERCENT = 90, /* of draws: with ten tries each third argument is given up then */
    MAX_NAMED = 12,       /* lines of one kind */
};

static uint64_t percent(uint64_t part, uint64_t whole)
{
    assert(whole > 0);
    return part * 100 / whole;
}

/* A line with its title, as those of what never ran. */
static void write_line(struct text *text, const char *title, struct strbuf *line)
{
    strbuf_adds(text->out, "    ");
    text_paint(text, PAINT_WARN, title);
    text_addf(text, "  %s\n", strbuf_text(line));
    strbuf_free(line);
}

/* The error that more than half of the rule's steps raised, or NULL. Those are left out that were
 * meant to: a rule may be there to see something refused. */
static const struct raised_count *mostly_raised(const struct rule_stats *stats)
{
    for (size_t i = 0; i < stats->raised.count && stats->ran >= MIN_COUNT; i++) {
        const struct raised_count *raised = &stats->raised.items[i];
        uint64_t meant =
            raised->count < stats->meant_to_fail ? raised->count : stats->meant_to_fail;
        if ((raised->count - meant) * 2 > stats->ran) {
            return raised;
        }
    }
    return NULL;
}

static bool rule_raises(struct text *text, size_t index)
{
    assert(index < text->run->machine->rules.count);
    const struct rule_stats *stats = &text->run->result->stats.rules[index];
    const struct raised_count *raised = mostly_raised(stats);
    struct strbuf line = {0};
    if (!raised) {
        return false;
    }
    strbuf_addf(&line, "%s: %s in %" PRIu64 "%% of ", text->run->machine->rules.items[index].name,
                show_condition(raised->sqlstate), percent(raised->count, stats->ran));
    show_counted(&line, stats->ran, "step");
    write_line(text, "mostly fails ", &line);
    return true;
}

static bool refuses_most(const struct filter_counts *counts)
{
    return counts->asked >= MIN_COUNT && counts->refused * 100 >= counts->asked * REFUSED_PERCENT;
}

static bool rule_filters(struct text *text, size_t index)
{
    assert(index < text->run->machine->rules.count);
    const struct rule_stats *stats = &text->run->result->stats.rules[index];
    const struct {
        const char *what;
        const struct filter_counts *counts;
        const char *of;
    } filters[] = {
        {"`where` refuses", &stats->where, "drawn arguments"},
        {"filter() refuses", &stats->filters, "drawn values"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        const struct filter_counts *counts = filters[i].counts;
        struct strbuf line = {0};
        if (refuses_most(counts)) {
            strbuf_addf(&line, "%s: %s %" PRIu64 "%% of ",
                        text->run->machine->rules.items[index].name, filters[i].what,
                        percent(counts->refused, counts->asked));
            show_count(&line, counts->asked);
            strbuf_addf(&line, " %s; draw only values that fit", filters[i].of);
            write_line(text, "filtered out ", &line);
            any = true;
        }
    }
    return any;
}

static void write_rules(struct text *text, bool (*write)(struct text *text, size_t index))
{
    size_t named = 0;
    for (size_t i = 0; i < text->run->machine->rules.count && named < MAX_NAMED; i++) {
        named += write(text, i);
    }
}

/* What kept a rule back there, in a line below. */
static bool rule_dead_ends(struct text *text, size_t index)
{
    assert(index < text->run->machine->rules.count);
    struct strbuf why = {0};
    text_add_dead_ends(&why, &text->run->result->stats.rules[index]);
    bool any = why.size > 0;
    if (any) {
        text_addf(text, "    %13s  %s: %s\n", "", text->run->machine->rules.items[index].name,
                  strbuf_text(&why));
    }
    strbuf_free(&why);
    return any;
}

static void write_dead_ends(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    struct strbuf line = {0};
    if (stats->dead_ends) {
        show_count(&line, stats->dead_ends);
        strbuf_adds(&line, " of ");
        show_counted(&line, stats->examples, "example");
        strbuf_adds(&line, " ended early: no rule could run");
        write_line(text, "dead end     ", &line);
        write_rules(text, rule_dead_ends);
    }
}

/* A run that has many examples and a max_time is meant to end by time: that is no news once it has
 * done as much as a run does that says nothing of its size. Where shortening failures took time,
 * the time says nothing about the examples. */
static void write_slow(struct text *text)
{
    const struct run_result *result = text->run->result;
    const struct run_stats *stats = &result->stats;
    uint64_t planned = text->run->examples_planned;
    uint64_t usual = (uint64_t)settings_default.examples;
    bool cut = result->cut_short && text->run->stopped == ERROR_NONE && text->run->max_time_ms > 0;
    struct strbuf line = {0};
    bool enough = stats->examples >= planned || stats->examples >= usual;
    if (!cut || !stats->examples || enough || result->failures.count) {
        return;
    }
    strbuf_adds(&line, "at this rate ");
    show_counted(&line, planned, "example");
    strbuf_adds(&line, " need ");
    show_duration(&line,
                  (uint64_t)((double)stats->time_us / (double)stats->examples * (double)planned));
    strbuf_adds(&line, "; max_time is ");
    show_duration(&line, (uint64_t)text->run->max_time_ms * 1000);
    write_line(text, "slow         ", &line);
}

void text_health(struct text *text)
{
    write_rules(text, rule_raises);
    write_rules(text, rule_filters);
    write_dead_ends(text);
    write_slow(text);
}
