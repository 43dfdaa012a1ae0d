/* The health of a run: what it says nothing about, and what ran, and yet tested less than it seems.
 */
#include "report/text/reasons.h"
#include "report/text/text.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    MIN_COUNT = 20, /* steps or draws before a share of them says anything */
    REFUSED_PERCENT =
        90,         /* of draws: with ten tries each third argument is given up then; of steps:
                       most that come to nothing are drawn again (example/step/novel.h) */
    MAX_NAMED = 12, /* lines of one kind */
    FEW_NAMED = 3,  /* if there are more, which is a large schema */
};

static uint64_t percent(uint64_t part, uint64_t whole)
{
    assert(whole > 0);
    return part * 100 / whole;
}

static const struct rule *rule_at(const struct text *text, size_t index)
{
    assert(index < text->run->machine->rules.count);
    return &text->run->machine->rules.items[index];
}

static const struct rule_stats *stats_at(const struct text *text, size_t index)
{
    return &text->run->result->stats.rules[index];
}

/* Kinds of news: each function gives what there is to say about one item, or NULL. */

const char *text_never_ran(struct text *text, size_t index)
{
    const struct rule_stats *stats = stats_at(text, index);
    struct arena *arena = &text->scratch;
    const char *why = show_reasons(arena, stats->blocked, BLOCKED_COUNT);
    if (!report_rule_idle(text->run, index)) {
        return NULL;
    }
    if (stats->given_up) {
        why = arena_printf(arena, "%s%sgiven up (%s)", why, *why ? ", " : "",
                           show_count(arena, stats->given_up));
    }
    return *why                           ? why
           : text->run->result->cut_short ? "it was not chosen before the time was up"
                                          : "it was not chosen; try more steps";
}

static const char *never_ran(struct text *text, size_t index)
{
    const char *why = text_never_ran(text, index);
    return why ? arena_printf(&text->scratch, "%s: %s", rule_at(text, index)->name, why) : NULL;
}

const char *text_never_checked(struct text *text, size_t index)
{
    const struct invariant *invariant = &text->run->machine->invariants.items[index];
    const struct invariant_stats *stats = &text->run->result->stats.invariants[index];
    const char *why = report_invariant_off(text->run, index) ? NULL
                      : !stats->skipped                      ? "no example got that far"
                      : !invariant->fors.count               ? "its precondition was never true"
                      : invariant->precondition
                          ? "its precondition was never true, or `for` had no items"
                          : "`for` never had any items";
    return stats->checked ? NULL : why;
}

static const char *never_checked(struct text *text, size_t index)
{
    const struct invariant *invariant = &text->run->machine->invariants.items[index];
    const char *why = text_never_checked(text, index);
    return why ? arena_printf(&text->scratch, "%s: %s", invariant->name, why) : NULL;
}

/* "label denied: 3 of 4,812 steps, 0.06 %; 1% are required" */
const char *text_unmet(struct text *text, size_t index)
{
    const struct requirement *wanted = &text->run->machine->requirements.items[index];
    uint64_t steps = text->run->result->stats.steps;
    uint64_t count = report_required_steps(text->run, wanted);
    struct arena *arena = &text->scratch;
    return report_is_met(text->run, wanted)
               ? NULL
               : arena_printf(arena, "%s%s: %s of %s, %.3g%%; %s is required",
                              wanted->rule == SIZE_MAX ? "label " : "", wanted->name,
                              show_count(arena, count), show_counted(arena, steps, "step"),
                              steps ? 100.0 * (double)count / (double)steps : 0, wanted->wanted);
}

/* Examples of several sessions have few steps, and a precondition keeps sessions apart. */
static const char *cure(const struct text *text, const struct rule *rule)
{
    return text->run->result->stats.sessions.examples
               ? "examples with sessions are short: make what it needs in `dataset` or `initialize`"
           : rule->args.count ? "draw arguments that fit"
                              : "give it a precondition";
}

/* The error that nearly all of the rule's steps raised; unless all were meant to: a rule may be
 * there to see something refused. */
static const char *mostly_fails(struct text *text, size_t index)
{
    const struct rule_stats *stats = stats_at(text, index);
    struct arena *arena = &text->scratch;
    bool told = text->run->compared && !stats_succeeded(stats); /* by text_compared */
    if (stats->ran < MIN_COUNT || stats->meant_to_fail >= stats->ran || told) {
        return NULL;
    }
    for (size_t i = 0; i < stats->raised.count; i++) {
        const struct raised_count *raised = &stats->raised.items[i];
        if (raised->count * 100 >= stats->ran * REFUSED_PERCENT) {
            return arena_printf(
                arena, "%s: %s in %" PRIu64 "%% of %s; %s", rule_at(text, index)->name,
                show_condition(raised->sqlstate), percent(raised->count, stats->ran),
                show_counted(arena, stats->ran, "step"), cure(text, rule_at(text, index)));
        }
    }
    return NULL;
}

/* Of a rule that is there to change something; that a query finds nothing is what it is for. */
static const char *mostly_refused(struct text *text, size_t index)
{
    const struct rule *rule = rule_at(text, index);
    const struct rule_stats *stats = stats_at(text, index);
    bool changes = rule->model || rule->affects || rule->targets.count;
    if (!changes || stats->ran < MIN_COUNT || stats->refused * 100 < stats->ran * REFUSED_PERCENT) {
        return NULL;
    }
    return arena_printf(&text->scratch,
                        "%s: the model expects that nothing comes of %" PRIu64 "%% of %s; %s",
                        rule->name, percent(stats->refused, stats->ran),
                        show_counted(&text->scratch, stats->ran, "step"), cure(text, rule));
}

/* Whether a failure of the run names the rule, or a mark that says that it fails. */
static bool known_to_fail(const struct text *text, const struct rule *rule)
{
    const struct run_result *result = text->run->result;
    bool known = rule->xfail != NULL;
    for (size_t i = 0; i < result->failures.count; i++) {
        const struct failure *failure = &result->failures.items[i];
        known = known || (failure->rule == rule && !failure->invariant);
    }
    return known;
}

static bool same_model(const struct rule *a, const struct rule *b)
{
    const struct snippet *one = a->model ? lang_snippet(a->model) : NULL;
    const struct snippet *other = b->model ? lang_snippet(b->model) : NULL;
    return one && other && one->size == other->size &&
           memcmp(one->text, other->text, one->size) == 0;
}

/* Whether a rule that does the same to the model has succeeded: this one may be there for its
 * arguments, which are to be refused. */
static bool seen_elsewhere(const struct text *text, const struct rule *rule)
{
    bool seen = false;
    for (size_t i = 0; i < text->run->machine->rules.count; i++) {
        seen =
            seen || (stats_succeeded(stats_at(text, i)) > 0 && same_model(rule, rule_at(text, i)));
    }
    return seen;
}

/* What the rule does where it succeeds was never seen, and nothing else says so. */
static const char *always_fails(struct text *text, size_t index)
{
    const struct rule *rule = rule_at(text, index);
    const struct rule_stats *stats = stats_at(text, index);
    struct arena *arena = &text->scratch;
    if (!stats->ran || stats_succeeded(stats) || rule->never_succeeds ||
        report_rule_off(text->run, index) || known_to_fail(text, rule) ||
        seen_elsewhere(text, rule) || mostly_fails(text, index)) {
        return NULL;
    }
    return arena_printf(arena, "%s: no success in %s: %s; %s%s", rule->name,
                        show_counted(arena, stats->ran, "step"), show_raised(arena, stats),
                        stats->ran < MIN_COUNT ? "try more steps, or " : "", cure(text, rule));
}

static const char *filtered_out(struct text *text, size_t rule, const char *what,
                                const struct filter_counts *counts, const char *of)
{
    struct arena *arena = &text->scratch;
    if (counts->asked < MIN_COUNT || counts->refused * 100 < counts->asked * REFUSED_PERCENT) {
        return NULL;
    }
    return arena_printf(arena, "%s: %s refuses %" PRIu64 "%% of %s %s; draw only values that fit",
                        rule_at(text, rule)->name, what, percent(counts->refused, counts->asked),
                        show_count(arena, counts->asked), of);
}

/* Of a rule two items: its `where`, and filters in its arguments. */
static const char *filters(struct text *text, size_t index)
{
    const struct rule_stats *stats = stats_at(text, index / 2);
    return index % 2 ? filtered_out(text, index / 2, "filter()", &stats->filters, "drawn values")
                     : filtered_out(text, index / 2, "`where`", &stats->where, "drawn arguments");
}

/* What kept a rule back where no rule could run. */
static const char *dead_end(struct text *text, size_t index)
{
    const char *why =
        show_reasons(&text->scratch, stats_at(text, index)->dead_ends, DEAD_END_REASONS);
    return *why ? arena_printf(&text->scratch, "%s: %s", rule_at(text, index)->name, why) : NULL;
}

static void write_kind(struct text *text, const char *title, size_t count,
                       const char *(*news_of)(struct text *text, size_t index))
{
    size_t all = 0;
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        all += news_of(text, i) != NULL;
    }
    size_t most = text->options->whole || all <= MAX_NAMED ? all : FEW_NAMED;
    for (size_t i = 0; i < count && named < most; i++) {
        const char *news = news_of(text, i);
        if (news) {
            text_warn(text, title, "%s", news);
            named++;
        }
    }
    if (named < all) {
        text_addf(text, "    … and %zu more; -v names them\n", all - named);
    }
}

/* Tables of the model that no example had a row in. What failed is not counted, so that the rest
 * says little where something did. */
static void write_empty_tables(struct text *text)
{
    const struct run_result *result = text->run->result;
    struct arena *arena = &text->scratch;
    const char *names = "";
    size_t count = 0;
    for (size_t i = 0; i < result->stats.tables.count && !result->failures.count; i++) {
        const struct table_stats *table = &result->stats.tables.items[i];
        if (!table->filled && count++ < MAX_NAMED) {
            names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "", table->name);
        }
    }
    if (count > MAX_NAMED) {
        names = arena_printf(arena, "%s and %zu more", names, count - MAX_NAMED);
    }
    if (count) {
        text_warn(text, "stayed empty", "%zu of %s of the model: %s", count,
                  show_counted(arena, result->stats.tables.count, "table"), names);
    }
}

static void write_dead_ends(struct text *text)
{
    const struct run_stats *stats = &text->run->result->stats;
    struct arena *arena = &text->scratch;
    if (stats->dead_ends) {
        text_warn(text, "dead end", "%s of %s ended early: no rule could run",
                  show_count(arena, stats->dead_ends),
                  show_counted(arena, stats->examples, "example"));
        write_kind(text, "", text->run->machine->rules.count, dead_end);
    }
}

/* Steps that another session kept from being done. */
static void write_lost(struct text *text)
{
    uint64_t lost = text->run->result->stats.sessions.undone;
    if (lost) {
        text_warn(text, "sessions", "%s lost against another session, and %s as not done",
                  show_counted(&text->scratch, lost, "step"), lost == 1 ? "counts" : "count");
    }
}

/* A run that has many examples and a max_time is meant to end by time: that is no news once it has
 * done as much as a run does that says nothing of its size. Where shrinking failures took time, the
 * time says nothing about the examples. */
static void write_slow(struct text *text)
{
    const struct run_result *result = text->run->result;
    const struct run_stats *stats = &result->stats;
    struct arena *arena = &text->scratch;
    uint64_t planned = text->run->examples_planned;
    uint64_t usual = (uint64_t)settings_default.examples;
    bool cut = result->cut_short && text->run->stopped == ERROR_NONE && text->run->max_time_ms > 0;
    bool enough = stats->examples >= planned || stats->examples >= usual;
    if (!cut || !stats->examples || enough || result->failures.count) {
        return;
    }
    double needed = (double)stats->time_us / (double)stats->examples * (double)planned;
    text_warn(text, "slow", "at this rate %s need %s; max_time is %s",
              show_counted(arena, planned, "example"), show_duration(arena, (uint64_t)needed),
              show_duration(arena, (uint64_t)text->run->max_time_ms * 1000));
}

void text_health(struct text *text)
{
    const struct machine *machine = text->run->machine;
    if (report_judges(text->run)) {
        write_kind(text, "never ran", machine->rules.count, never_ran);
        write_empty_tables(text);
        write_kind(text, "never checked", machine->invariants.count, never_checked);
        write_kind(text, "unmet", machine->requirements.count, text_unmet);
        if (!text->run->compared) { /* which names them as well */
            write_kind(text, "always fails", machine->rules.count, always_fails);
        }
        write_kind(text, "mostly fails", machine->rules.count, mostly_fails);
        write_kind(text, "mostly refused", machine->rules.count, mostly_refused);
        write_kind(text, "filtered out", machine->rules.count * 2, filters);
        write_dead_ends(text);
        write_lost(text);
        write_slow(text);
    }
    for (size_t i = 0; i < machine->untested.count; i++) {
        text_warn(text, "not tested", "%s", machine->untested.items[i]);
    }
    for (const char *const *warning = text->run->warnings; warning && *warning; warning++) {
        text_warn(text, "warning", "%s", *warning);
    }
}
