/* Markdown as GitHub and GitLab show it: for a step summary, or a comment on a merge request. */
#include "account/show.h"
#include "base/visible.h"
#include "example/divergence.h"
#include "report/cases.h"
#include "report/text/text.h"

#include <string.h>

enum {
    BLOCKS_MAX = 400000, /* bytes of blocks: GitHub drops a summary of more than a megabyte */
    CELL_WIDTH = 60,     /* characters of an answer, or of a value of a step, in a table */
    STEPS_MAX = 8,       /* in a row of it */
};

/* Text on a line: what HTML would read is escaped, and the `marks` of Markdown. */
static void add_escaped(struct strbuf *out, const char *text, const char *marks)
{
    struct strbuf safe = {0};
    visible_adds(&safe, VISIBLE_LINE, text);
    for (const char *at = strbuf_text(&safe); *at; at++) {
        if (*at == '<' || *at == '&') {
            strbuf_adds(out, *at == '<' ? "&lt;" : "&amp;");
            continue;
        }
        if (strchr(marks, *at)) {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, *at);
    }
    strbuf_free(&safe);
}

static void add_line(struct strbuf *out, const char *text)
{
    add_escaped(out, text, "\\`*_{}[]()#+!|~@>");
}

static size_t longest_fence(const char *text)
{
    size_t longest = 2;
    for (const char *at = strchr(text, '`'); at; at = strchr(at, '`')) {
        size_t size = strspn(at, "`");
        longest = size > longest ? size : longest;
        at += size;
    }
    return longest;
}

static void add_block(struct strbuf *out, const char *text)
{
    size_t fence = longest_fence(text) + 1;
    strbuf_fill(out, '`', fence);
    strbuf_adds(out, "text\n");
    visible_adds(out, VISIBLE_BLOCK, text);
    strbuf_adds(out, out->data[out->size - 1] == '\n' ? "" : "\n");
    strbuf_fill(out, '`', fence);
    strbuf_adds(out, "\n\n");
}

/* A block to be opened by a click. Its title is HTML, in which Markdown has no marks. */
static void add_details(struct strbuf *out, const char *title, const char *text, bool open)
{
    strbuf_addf(out, "<details%s><summary>", open ? " open" : "");
    add_escaped(out, title, "");
    strbuf_adds(out, "</summary>\n\n");
    add_block(out, text);
    strbuf_adds(out, "</details>\n\n");
}

static void add_item(struct strbuf *out, const char *title, const char *text)
{
    strbuf_adds(out, "- **");
    add_line(out, title);
    strbuf_adds(out, "**: ");
    add_line(out, text);
    strbuf_addc(out, '\n');
}

/* A case that fails as a whole. */
static void add_case(struct report *report, const struct report_case *item, struct strbuf *out)
{
    add_item(out, item->title, item->message);
    report->written += item->text ? strlen(item->text) : 0;
    if (item->text && report->written <= BLOCKS_MAX) {
        strbuf_addc(out, '\n');
        add_block(out, item->text);
    }
}

static void add_failure(struct report *report, const struct report_fault *fault, struct strbuf *out)
{
    report->written += strlen(fault->text);
    if (report->written > BLOCKS_MAX) {
        add_item(out, fault->title, fault->message);
    } else {
        add_details(out, fault->message, fault->more, true);
    }
}

/* How the machine ended, as a mark and in words. */
struct result {
    const char *mark;
    const char *words;
};
static struct result result_of(const struct report_run *run)
{
    static const char *const marks[REPORT_ENDS] = {
        [REPORT_OK] = "✅",           [REPORT_FAILED] = "❌",  [REPORT_UNMET] = "❌",
        [REPORT_NOTHING] = "⚠️", [REPORT_STOPPED] = "⛔",
    };
    enum report_end end = report_end_of(run);
    bool misses = end == REPORT_OK && report_misses(run);
    const char *words = !run->compared         ? report_ends[end]
                        : end == REPORT_OK     ? "agrees"
                        : end == REPORT_FAILED ? "differs"
                                               : report_ends[end];
    return misses ? (struct result){marks[REPORT_NOTHING], "misses planted faults"}
                  : (struct result){marks[end], words};
}

/* A row of the table of machines. */
static void add_machine(struct strbuf *out, const struct report_run *run,
                        const struct report_cases *cases)
{
    if (!out->size) {
        strbuf_addf(out,
                    "| machine | result | %s | examples | steps | time |\n"
                    "| --- | --- | ---: | ---: | ---: | ---: |\n",
                    run->compared ? "differences" : "failures");
    }
    struct result result = result_of(run);
    struct arena *arena = cases->arena;
    size_t failures = 0;
    for (size_t i = 0; i < cases->faults.count; i++) {
        failures += !cases->faults.items[i].stopped && !cases->faults.items[i].with;
    }
    strbuf_adds(out, "| ");
    add_line(out, cases->machine);
    strbuf_addf(out, " | %s %s | ", result.mark, result.words);
    if (!run->machine) {
        strbuf_adds(out, "| | | |\n");
        return;
    }
    const struct run_stats *stats = &run->result->stats;
    strbuf_addf(out, "%s | %s", show_count(arena, failures), show_count(arena, stats->examples));
    if (stats->examples < run->examples_planned) {
        strbuf_addf(out, " of %s", show_count(arena, run->examples_planned));
    }
    strbuf_addf(out, " | %s | %s |\n", show_count(arena, stats->steps),
                show_duration(arena, cases->time_us));
}

/* A cell of a table. Inside of <code> the marks of Markdown count, too. */
static void add_code_cell(struct strbuf *out, const char *text)
{
    strbuf_adds(out, text ? " <code>" : " ");
    add_line(out, text ? text : "");
    strbuf_adds(out, text ? "</code> |" : "|");
}

/* What a reviewer looks at: what differs, from what to what, and by which steps. */
static void add_difference(struct strbuf *out, const struct failure *failure, struct arena *arena)
{
    struct show_names names = {0};
    bool whole = true;
    show_names_collect(&names, arena, failure);
    add_code_cell(out, show_text(arena, &names, failure->divergence->before, CELL_WIDTH));
    add_code_cell(out, show_text(arena, &names, failure->divergence->after, CELL_WIDTH));
    for (size_t i = 0; i < failure->steps.count && i < STEPS_MAX; i++) {
        strbuf_adds(out, i ? "<br><code>" : " <code>");
        add_line(out, show_step(arena, &names, &failure->steps.items[i], CELL_WIDTH, &whole));
        strbuf_adds(out, "</code>");
    }
    if (failure->steps.count > STEPS_MAX) {
        strbuf_addf(out, "<br>… %zu more", failure->steps.count - STEPS_MAX);
    }
    strbuf_adds(out, " |\n");
}

/* Rows of the table of failures, below its head. */
static void add_faults(struct strbuf *out, const struct report_run *run,
                       const struct report_cases *cases)
{
    if (cases->faults.count && !out->size) {
        strbuf_adds(out, run->compared ? "| difference | before | after | steps |\n"
                                         "| --- | --- | --- | --- |\n"
                                       : "| failure | replay |\n| --- | --- |\n");
    }
    for (size_t i = 0; i < cases->faults.count; i++) {
        const struct report_fault *fault = &cases->faults.items[i];
        if (fault->with) {
            continue;
        }
        strbuf_adds(out, "| ");
        add_line(out, cases->machine);
        strbuf_adds(out, ": ");
        add_line(out, fault->message);
        strbuf_adds(out, " |");
        if (fault->failure && fault->failure->divergence) {
            add_difference(out, fault->failure, cases->arena);
            continue;
        }
        add_code_cell(out, fault->replay);
        strbuf_adds(out, run->compared ? " | |\n" : "\n");
    }
}

static void add_heading(struct strbuf *out, const struct report_run *run,
                        const struct report_cases *cases)
{
    struct result result = result_of(run);
    strbuf_addf(out, "### %s ", result.mark);
    add_line(out, cases->machine);
    strbuf_addf(out, ": %s\n\n", result.words);
    if (run->machine) {
        strbuf_addf(out, "%s\n\n", cases->summary);
    }
}

/* What a reviewer of two schemas can rely on. */
static void add_compared(struct strbuf *out, const struct report_cases *cases)
{
    size_t count = cases->compared.items.count;
    strbuf_adds(out, count ? "**What was compared**\n\n" : "");
    for (size_t i = 0; i < count; i++) {
        add_item(out, cases->compared.items.items[i].title, cases->compared.items.items[i].text);
    }
    strbuf_adds(out, count ? "\n" : "");
}

/* The tables come first, so all else waits for the end. */
static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *nothing)
{
    struct strbuf stats = {0};
    struct strbuf *out = &report->below;
    (void)nothing;
    add_machine(&report->kept, run, cases);
    add_faults(&report->faults, run, cases);
    add_heading(out, run, cases);
    for (size_t i = 0; i < cases->faults.count; i++) {
        const struct report_fault *fault = &cases->faults.items[i];
        if (fault->failure && !fault->with) {
            add_failure(report, fault, out);
        }
    }
    for (size_t i = 0; i < cases->items.count; i++) {
        const struct report_case *item = &cases->items.items[i];
        bool bad = item->outcome == CASE_FAILED || item->outcome == CASE_ERROR ||
                   item->outcome == CASE_KNOWN;
        if (bad && !item->failures.count) {
            add_case(report, item, out);
        }
    }
    for (size_t i = 0; i < cases->notes.items.count; i++) {
        add_item(out, cases->notes.items.items[i].title, cases->notes.items.items[i].text);
    }
    strbuf_adds(out, cases->notes.items.count ? "\n" : "");
    add_compared(out, cases);
    text_stats_block(report, run, &stats);
    if (stats.size) {
        add_details(out, "Statistics", stats.data, false);
    }
    strbuf_free(&stats);
}

static void end(const struct report *report, struct strbuf *out)
{
    static const char *const of_two[CASE_OUTCOMES] = {
        [CASE_PASSED] = "requests agree", [CASE_FAILED] = "differ"};
    const char *comma = "";
    if (report->kept.size) {
        strbuf_addf(out, "%s\n", report->kept.data);
    }
    if (report->faults.size) {
        strbuf_addf(out, "%s\n", report->faults.data);
    }
    strbuf_add(out, report->below.data ? report->below.data : "", report->below.size);
    for (size_t i = 0; i < CASE_OUTCOMES; i++) {
        if (report->cases[i]) {
            const char *word = report->compared ? of_two[i] : NULL;
            strbuf_addf(out, "%s%zu %s", comma, report->cases[i], word ? word : case_outcomes[i]);
            comma = ", ";
        }
    }
    strbuf_adds(out, *comma ? "\n" : "");
}

const struct report_format report_markdown = {.name = "markdown", .add_cases = add, .end = end};
