/* The HTML report: a run as JSON, which the page (page/) shows; before it the text report, for
 * readers without scripts. */
#include "base/utf8.h"
#include "report/account_json.h"
#include "report/alike.h"
#include "report/html/coverage.h"
#include "report/html/mutants.h"
#include "report/html/page.h"
#include "report/html/race.h"
#include "report/html/source.h"
#include "report/race.h"
#include "report/sentence.h"
#include "report/text/text.h"
#include "trace/name.h"

#include <inttypes.h>
#include <string.h>

/* How much is told: the first that fits is taken. */
enum detail {
    DETAIL_ALL,
    DETAIL_LESS,   /* accounts of the first failures only */
    DETAIL_BRIEF,  /* no accounts, no pairs, the first failures */
    DETAIL_COUNTS, /* of failures what they are, nothing of rules */
};
enum {
    ACCOUNTS_LESS = 2,
    FAILURES_BRIEF = 10,
    FAILURES_COUNTS = 50,
    PLAIN_BYTES = 20000, /* of the text report */
    CALLS = 300,         /* of a sequence as found */
    OBJECTS = 400,
    MUTANTS = 2000,
    MUTANTS_LESS = 300,
    MUTANTS_BRIEF = 50,
    PERCENTILE = 95,
};

struct page {
    const struct report_run *run;
    const struct report_options *options;
    enum detail detail;
    struct arena arena;
    struct strbuf out;
};

/* Failures. */

static void add_call(struct page *page, const struct show_names *names,
                     const struct shown_step *step, size_t limit)
{
    bool whole = true;
    data_text(&page->out, NULL, show_step(&page->arena, names, step, limit, &whole));
}

static void add_calls(struct page *page, const char *key, const struct show_names *names,
                      const struct failure *failure)
{
    data_open(&page->out, key, '[');
    for (size_t i = 0; i < failure->steps.count && i < CALLS; i++) {
        add_call(page, names, &failure->steps.items[i], SHOW_ALL);
    }
    data_close(&page->out, ']');
}

/* What is told behind a step, by its place; empty if there is nothing. */
static void add_remarks(struct page *page, const struct failure *failure)
{
    data_open(&page->out, "remarks", '[');
    for (size_t i = 0; i < failure->steps.count && i < CALLS; i++) {
        const char *remark = failure->steps.items[i].remark;
        data_text(&page->out, NULL, remark ? show_name(&page->arena, remark) : "");
    }
    data_close(&page->out, ']');
}

enum matching { MATCH_STEPS, MATCH_RULES };

/* Which steps of the sequence as found are still there: from the end, the next that is the same
 * step or, where shrinking made new steps, one of the same rule. False: not all were found. */
static bool match(const struct failure *failure, enum matching matching, bool *stays)
{
    const struct trace *found = &failure->found->trace;
    const struct trace *trace = &failure->trace;
    size_t first = trace_first(found);
    size_t left = trace->steps.count;
    for (size_t i = found->steps.count; i-- > first;) {
        const struct trace_step *step = &found->steps.items[i];
        const struct trace_step *other =
            left > trace_first(trace) ? &trace->steps.items[left - 1] : NULL;
        stays[i - first] = other && step->rule == other->rule &&
                           (matching == MATCH_RULES || step->id == other->id);
        left -= stays[i - first];
    }
    return left == trace_first(trace);
}

/* "A1" of a step of a session; NULL of others. */
static const char *session_step(struct page *page, const struct failure *failure, size_t index)
{
    size_t steps = failure->race ? failure->race->steps.count : 0;
    size_t before = failure->steps.count - steps;
    return index < before ? NULL : race_step_name(&page->arena, failure->race, index - before);
}

/* The sequence before it was shrunk; which of its steps stayed, and which are of a session:
 * [[call, stayed, name], …] */
static void add_found(struct page *page, const struct failure *failure)
{
    const struct failure *found = failure->found;
    struct strbuf *out = &page->out;
    struct show_names names = {0};
    if (!found || !failure->shrinking.executions || page->detail >= DETAIL_BRIEF) {
        return;
    }
    bool *stays = ARENA_ARRAY(&page->arena, bool, found->trace.steps.count);
    if (!match(failure, MATCH_STEPS, stays)) {
        (void)match(failure, MATCH_RULES, stays);
    }
    show_names_collect(&names, &page->arena, found);
    data_open(out, "found", '[');
    for (size_t i = 0; i < found->steps.count && i < CALLS; i++) {
        data_open(out, NULL, '[');
        add_call(page, &names, &found->steps.items[i], ACCOUNT_VALUE);
        data_number(out, NULL, stays[i]);
        data_text(out, NULL, session_step(page, found, i));
        data_close(out, ']');
    }
    data_close(out, ']');
    data_number(out, "foundSteps", found->steps.count);
}

static void add_shrinking(struct page *page, const struct failure *failure)
{
    const struct shrinking *shrinking = &failure->shrinking;
    data_open(&page->out, "shrinking", '{');
    data_number(&page->out, "runs", shrinking->executions);
    data_text(&page->out, "time", show_duration(&page->arena, shrinking->time_us));
    data_text(&page->out, "cut", shrinking->cut_short);
    data_close(&page->out, '}');
}

static void add_replay(struct page *page, const struct failure *failure)
{
    const struct delivery *delivery = report_delivery(page->run, failure);
    const char *command = report_replay(page->run, page->options, failure, &page->arena);
    data_text(&page->out, "replay", command ? show_name(&page->arena, command) : NULL);
    data_text(&page->out, "noScript",
              delivery->no_script ? show_name(&page->arena, delivery->no_script) : NULL);
    data_text(&page->out, "note", delivery->note);
}

static void add_origin(struct page *page, const struct failure *failure)
{
    struct strbuf *out = &page->out;
    struct arena *arena = &page->arena;
    data_flag(out, "flaky", failure->flaky);
    data_text(out, "flakyWhy",
              failure->flaky_difference ? show_name(arena, failure->flaky_difference) : NULL);
    data_flag(out, "leftover", failure->leftover);
    data_flag(out, "stored", failure->stored);
    data_text(out, "pinned", failure->pinned ? show_name(arena, failure->pinned->name) : NULL);
    data_number(out, "example", failure->example);
    data_number(out, "exampleSteps", failure->example_steps);
    if (failure->pos.source) {
        data_text(out, "file", show_name(arena, failure->pos.source->name));
        data_number(out, "line", source_place(failure->pos).line);
    }
    data_open(out, "also", '[');
    for (size_t i = 0; i < failure->also.count; i++) {
        data_text(out, NULL, show_name(arena, failure->also.items[i]->name));
    }
    data_close(out, ']');
}

/* By which links in the page know it; commands know it by the same name. */
static void add_name(struct page *page, const struct failure *failure)
{
    const char *given = report_delivery(page->run, failure)->name;
    struct strbuf name = {0};
    if (!given) {
        trace_name(page->run->machine->name, failure->identity, &name);
    }
    data_text(&page->out, "name", show_name(&page->arena, given ? given : strbuf_text(&name)));
    strbuf_free(&name);
}

static void add_failure(struct page *page, const struct failure *failure, size_t index)
{
    struct strbuf *out = &page->out;
    struct show_names names = {0};
    data_open(out, NULL, '{');
    data_text(out, "id", show_name(&page->arena, failure->identity));
    add_name(page, failure);
    data_text(out, "sentence", sentence(&page->arena, page->run->machine, failure));
    const struct failure *head = alike_head(page->run->result, failure);
    data_text(out, "with",
              failure->divergence && head != failure
                  ? sentence(&page->arena, page->run->machine, head)
                  : NULL);
    data_number(out, "step", failure->step);
    add_origin(page, failure);
    if (page->detail < DETAIL_COUNTS) {
        show_names_collect(&names, &page->arena, failure);
        const struct account_difference difference =
            account_difference(&page->arena, &names, failure);
        difference_json(out, "difference", &difference);
        add_calls(page, "steps", &names, failure);
        add_remarks(page, failure);
        if (failure->race) {
            html_race(&(struct parts){&page->arena, out, &names}, "race", failure->race);
        }
        if (failure->shorter) {
            struct show_names shorter = {0};
            show_names_collect(&shorter, &page->arena, failure->shorter);
            add_calls(page, "shorter", &shorter, failure->shorter);
        }
        data_flag(out, "pinnable",
                  failure->pinnable && failure->steps.count <= CALLS && !failure->pinned &&
                      !failure->flaky && !failure->leftover);
        add_found(page, failure);
        add_shrinking(page, failure);
        add_replay(page, failure);
    }
    if (page->detail == DETAIL_ALL || (page->detail == DETAIL_LESS && index < ACCOUNTS_LESS)) {
        if (failure->account) {
            source_json(out, "source", &failure->account->source);
            account_json(out, "account", failure->account);
        }
    }
    data_close(out, '}');
}

static void add_failures(struct page *page)
{
    const struct run_result *result = page->run->result;
    size_t most = page->detail < DETAIL_BRIEF    ? SIZE_MAX
                  : page->detail == DETAIL_BRIEF ? FAILURES_BRIEF
                                                 : FAILURES_COUNTS;
    data_open(&page->out, "failures", '[');
    for (size_t i = 0; i < result->failures.count && i < most; i++) {
        add_failure(page, &result->failures.items[i], i);
    }
    data_close(&page->out, ']');
    data_number(&page->out, "failureCount", result->failures.count);
    data_number(&page->out, "causes",
                page->run->compared ? alike_count(result) : result->failures.count);
}

static void add_known(struct page *page)
{
    static const char *const verdicts[] = {
        [KNOWN_FAILED] = "failed", [KNOWN_UNSEEN] = "unseen", [KNOWN_PASSES] = "passes"};
    const struct run_result *result = page->run->result;
    struct strbuf *out = &page->out;
    data_open(out, "known", '[');
    for (size_t i = 0; i < result->known.count; i++) {
        const struct known_result *known = &result->known.items[i];
        data_open(out, NULL, '{');
        data_text(out, "what", show_name(&page->arena, known->what));
        data_text(out, "verdict", verdicts[known->verdict]);
        data_number(out, "failed", known->failed);
        data_text(out, "tried", show_counted(&page->arena, known->tried, known->noun));
        data_text(out, "reason", show_name(&page->arena, known->mark->reason));
        data_close(out, '}');
    }
    data_close(out, ']');
}

/* Rules and invariants. */

static void add_times(struct page *page, const struct durations *times)
{
    if (times && times->count) {
        data_number(&page->out, "mean", times->total_us / times->count);
        data_number(&page->out, "p95", durations_percentile(times, PERCENTILE));
    }
}

static void add_raised(struct page *page, const struct rule_stats *stats)
{
    struct strbuf *out = &page->out;
    data_open(out, "raised", '[');
    for (size_t i = 0; i < stats->raised.count; i++) {
        const struct raised_count *raised = &stats->raised.items[i];
        data_open(out, NULL, '[');
        data_text(out, NULL, show_name(&page->arena, show_condition(raised->sqlstate)));
        data_number(out, NULL, raised->count);
        data_close(out, ']');
    }
    data_close(out, ']');
}

/* Where it begins in the machine's file. */
static void add_line(struct page *page, struct source_pos pos)
{
    size_t line = html_line(page->run, pos);
    if (line) {
        data_number(&page->out, "line", line);
    }
}

static void add_rule(struct page *page, size_t index)
{
    const struct rule *rule = &page->run->machine->rules.items[index];
    const struct rule_stats *stats = &page->run->result->stats.rules[index];
    struct strbuf *out = &page->out;
    data_open(out, NULL, '{');
    data_text(out, "name", show_name(&page->arena, rule->name));
    add_line(page, rule->pos);
    data_number(out, "ran", stats->ran);
    data_number(out, "givenUp", stats->given_up);
    data_number(out, "refused", stats->refused);
    data_flag(out, "off", report_rule_off(page->run, index));
    data_open(out, "blocked", '[');
    for (size_t i = 0; i < BLOCKED_COUNT; i++) {
        data_number(out, NULL, stats->blocked[i]);
    }
    data_close(out, ']');
    add_raised(page, stats);
    add_times(page, stats->times);
    data_close(out, '}');
}

static void add_rules(struct page *page)
{
    const struct machine *machine = page->run->machine;
    const struct run_stats *stats = &page->run->result->stats;
    struct strbuf *out = &page->out;
    data_open(out, "rules", '[');
    for (size_t i = 0; i < machine->rules.count; i++) {
        add_rule(page, i);
    }
    data_close(out, ']');
    const struct again_reasons *asked = &page->run->result->asked;
    data_open(out, "invariants", '[');
    for (size_t i = 0; i < machine->invariants.count; i++) {
        data_open(out, NULL, '{');
        data_text(out, "name", show_name(&page->arena, machine->invariants.items[i].name));
        add_line(page, machine->invariants.items[i].pos);
        data_number(out, "checked", stats->invariants[i].checked);
        data_number(out, "skipped", stats->invariants[i].skipped);
        if (asked->each && asked->each[i]) {
            data_text(out, "asked", show_name(&page->arena, asked->each[i]));
        }
        add_times(page, stats->invariants[i].times);
        data_close(out, '}');
    }
    data_close(out, ']');
}

static void add_bundles(struct page *page)
{
    const struct machine *machine = page->run->machine;
    struct strbuf *out = &page->out;
    data_open(out, "bundles", '[');
    for (size_t i = 0; i < machine->bundles.count; i++) {
        const struct bundle_stats *stats = &page->run->result->stats.bundles[i];
        data_open(out, NULL, '{');
        data_text(out, "name", show_name(&page->arena, machine->bundles.items[i].name));
        data_number(out, "examples", stats->examples);
        data_number(out, "values", stats->values);
        data_number(out, "most", stats->most);
        data_close(out, '}');
    }
    data_close(out, ']');
}

static void add_counts(struct page *page)
{
    const struct run_stats *stats = &page->run->result->stats;
    struct strbuf *out = &page->out;
    data_open(out, "labels", '[');
    for (size_t i = 0; i < stats->labels.count; i++) {
        data_open(out, NULL, '[');
        data_text(out, NULL, show_name(&page->arena, stats->labels.items[i].label));
        data_number(out, NULL, stats->labels.items[i].count);
        data_close(out, ']');
    }
    data_close(out, ']');
    data_open(out, "ways", '[');
    for (size_t i = 0; i < WAY_COUNT; i++) {
        data_open(out, NULL, '[');
        data_text(out, NULL, example_ways[i].name);
        data_number(out, NULL, stats->ways[i]);
        data_close(out, ']');
    }
    data_close(out, ']');
    data_number(out, "lengthWidth", stats->length_width);
    data_open(out, "lengths", '[');
    for (size_t i = 0; i < LENGTHS; i++) {
        data_number(out, NULL, stats->lengths[i]);
    }
    data_close(out, ']');
}

/* Sessions side by side. */
static void add_sessions(struct page *page)
{
    const struct session_stats *stats = &page->run->result->stats.sessions;
    struct strbuf *out = &page->out;
    struct race_bound bound;
    if (!stats->examples) {
        return;
    }
    data_open(out, "sessions", '{');
    data_number(out, "examples", stats->examples);
    data_number(out, "schedules", stats->runs);
    data_text(out, "points",
              arena_printf(&page->arena, "%.1f", (double)stats->points / (double)stats->examples));
    data_number(out, "lost", stats->undone);
    data_number(out, "unclear", stats->unclear);
    if (race_bound(page->run->result, &bound)) {
        data_text(out, "places", arena_printf(&page->arena, "%.0f", bound.places));
        data_number(out, "looked", bound.schedules);
        data_text(out, "missed", arena_printf(&page->arena, "%.2g", bound.missed));
    }
    data_close(out, '}');
}

/* [kind, name, touched, note] of each object of the schema. */
static void add_objects(struct page *page)
{
    const struct backend_coverage *coverage = page->run->coverage;
    struct strbuf *out = &page->out;
    if (!coverage) {
        return;
    }
    data_open(out, "objects", '[');
    for (size_t i = 0; i < coverage->objects.count && i < OBJECTS; i++) {
        const struct backend_object *object = &coverage->objects.items[i];
        data_open(out, NULL, '[');
        data_number(out, NULL, object->kind);
        data_text(out, NULL, show_text(&page->arena, NULL, object->name, ACCOUNT_VALUE));
        data_number(out, NULL, object->touched);
        data_text(out, NULL, object->note ? show_name(&page->arena, object->note) : NULL);
        data_close(out, ']');
    }
    data_close(out, ']');
    data_number(out, "objectCount", coverage->objects.count);
    data_text(out, "noFunctions", coverage->no_functions);
}

/* The run. */

static void on_warning(void *host, const char *title, const char *message)
{
    struct page *page = host;
    data_open(&page->out, NULL, '[');
    data_text(&page->out, NULL, title);
    data_text(&page->out, NULL, show_text(&page->arena, NULL, message, ACCOUNT_TEXT));
    data_close(&page->out, ']');
}

static void add_health(struct page *page)
{
    struct strbuf ignored = {0};
    struct text text = {.run = page->run,
                        .options = page->options,
                        .out = &ignored,
                        .warned = on_warning,
                        .host = page};
    data_open(&page->out, "health", '[');
    text_health(&text);
    text_accepted(&text);
    data_close(&page->out, ']');
    if (page->run->compared) {
        data_open(&page->out, "compared", '[');
        text_changed(&text);
        text_compared(&text);
        data_close(&page->out, ']');
    }
    strbuf_free(&ignored);
    arena_free(&text.scratch);
}

static const char *outcome_of(const struct report_run *run)
{
    static const char *const outcomes[REPORT_ENDS] = {
        [REPORT_OK] = "passed",       [REPORT_FAILED] = "failed",   [REPORT_UNMET] = "unmet",
        [REPORT_NOTHING] = "nothing", [REPORT_STOPPED] = "stopped",
    };
    bool failed = run->machine && run->result->outcome == RUN_FAILED;
    return failed                              ? "failed"
           : run->stopped == ERROR_INTERRUPTED ? "interrupted"
                                               : outcomes[report_end_of(run)];
}

/* Why it could not be read, or its run not continue. */
static void add_problems(struct page *page)
{
    const struct report_run *run = page->run;
    data_open(&page->out, "problems", '[');
    for (size_t i = 0; i < run->problem_count && i < FAILURES_BRIEF; i++) {
        data_text(&page->out, NULL, run->problems[i].text); /* safe to show, and not long */
    }
    data_close(&page->out, ']');
}

static void add_totals(struct page *page)
{
    const struct report_run *run = page->run;
    const struct run_stats *stats = &run->result->stats;
    struct strbuf *out = &page->out;
    struct arena *arena = &page->arena;
    data_flag(out, "cut", run->result->cut_short);
    data_text(out, "replayed", run->replayed ? show_name(arena, run->replayed) : NULL);
    data_text(out, "rate", run->ways);
    data_text(out, "seed", arena_printf(arena, "%" PRIu64, run->result->seed));
    data_number(out, "examples", stats->examples);
    data_number(out, "planned", run->examples_planned);
    data_number(out, "failedExamples", run->result->failed);
    data_number(out, "steps", stats->steps);
    data_number(out, "statements", stats->statements);
    data_text(out, "time", show_duration(arena, stats->time_us));
    data_number(out, "timeUs", stats->time_us);
    data_text(out, "again", run->again ? show_name(arena, run->again) : NULL);
    add_failures(page);
}

static void add_mutants(struct page *page)
{
    static const size_t most[] = {[DETAIL_ALL] = MUTANTS,
                                  [DETAIL_LESS] = MUTANTS_LESS,
                                  [DETAIL_BRIEF] = MUTANTS_BRIEF,
                                  [DETAIL_COUNTS] = 0};
    if (page->run->mutation) {
        html_mutants(page->run, most[page->detail], &page->arena, &page->out);
    }
}

static void add_run(struct page *page)
{
    const struct report_run *run = page->run;
    struct strbuf *out = &page->out;
    data_open(out, NULL, '{');
    data_text(out, "machine",
              show_name(&page->arena, run->machine ? run->machine->name : run->path));
    data_text(out, "path", show_name(&page->arena, run->path));
    data_text(out, "outcome", outcome_of(run));
    data_number(out, "detail", page->detail);
    add_problems(page);
    if (run->machine) {
        add_totals(page);
        add_mutants(page);
    }
    if (run->machine && page->detail < DETAIL_COUNTS) {
        add_known(page);
        add_health(page);
        add_rules(page);
        add_bundles(page);
        add_counts(page);
        add_sessions(page);
        add_objects(page);
    }
    if (run->machine && page->detail < DETAIL_BRIEF) {
        html_source(run, &page->arena, out);
        html_coverage(run, out);
    }
    data_close(out, '}');
}

/* For a browser that runs no scripts: the text report, its end left out where it is long. */
static void add_plain(struct page *page)
{
    struct report report = {.format = &report_text, .options = *page->options};
    struct strbuf text = {0};
    report.options.stats = report.options.color = report.options.whole = report.options.quiet =
        false;
    report.options.machines = 1; /* it has an end of its own */
    report_text.add(&report, page->run, &text);
    strbuf_adds(&page->out, "<pre class=\"plain\">");
    size_t size = page->detail < DETAIL_BRIEF ? text.size : 0;
    size = size > PLAIN_BYTES ? utf8_cut(text.data, PLAIN_BYTES) : size;
    for (size_t i = 0; i < size; i++) {
        char c = text.data[i];
        strbuf_adds(&page->out, c == '<' ? "&lt;" : c == '&' ? "&amp;" : (char[]){c, '\0'});
    }
    strbuf_adds(&page->out, "</pre>\n");
    strbuf_free(&text);
}

static void add_part(struct page *page)
{
    struct strbuf before = {0};
    add_plain(page);
    strbuf_adds(&page->out, "<script type=\"application/json\">");
    before = page->out;
    page->out = (struct strbuf){0};
    add_run(page);
    strbuf_add(&before, strbuf_text(&page->out), page->out.size);
    strbuf_free(&page->out);
    page->out = before;
    strbuf_adds(&page->out, "</script>\n");
}

static void add(struct report *report, const struct report_run *run, struct strbuf *out)
{
    struct page page = {.run = run, .options = &report->options};
    do {
        strbuf_clear(&page.out);
        add_part(&page);
    } while (run->most && page.out.size > run->most && page.detail++ < DETAIL_COUNTS);
    strbuf_add(out, strbuf_text(&page.out), page.out.size);
    strbuf_free(&page.out);
    arena_free(&page.arena);
}

static void begin(const struct report *report, struct strbuf *out)
{
    (void)report;
    strbuf_adds(out, report_page);
}

static void end(const struct report *report, struct strbuf *out)
{
    size_t left = report->options.machines;
    for (size_t i = 0; i < REPORT_ENDS; i++) {
        left -= report->ends[i];
    }
    strbuf_addf(out,
                "<script type=\"application/json\">{\"left\":%zu}</script>\n</body>\n</html>\n",
                report->options.machines ? left : 0);
}

const struct report_format report_html = {.name = "html", .begin = begin, .add = add, .end = end};
