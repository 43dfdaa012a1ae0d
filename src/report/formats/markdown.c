/* Markdown as GitHub and GitLab show it: for a step summary, or a comment on a merge request. */
#include "account/show.h"
#include "base/visible.h"
#include "report/cases.h"
#include "report/text/text.h"

#include <string.h>

enum { BLOCKS_MAX = 400000 /* bytes of blocks: GitHub drops a summary of more than a megabyte */ };

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

static void add_case(struct report *report, const struct report_case *item, struct strbuf *out)
{
    if (!item->failures.count) {
        add_item(out, item->title, item->message);
        report->written += item->text ? strlen(item->text) : 0;
        if (item->text && report->written <= BLOCKS_MAX) {
            strbuf_addc(out, '\n');
            add_block(out, item->text);
        }
        return;
    }
    for (size_t i = 0; !item->repeats && i < item->failures.count; i++) {
        const struct report_fault *failure = &item->failures.items[i];
        report->written += strlen(failure->text);
        if (report->written > BLOCKS_MAX) {
            add_item(out, item->title, failure->message);
        } else {
            add_details(out, failure->message, failure->more, true);
        }
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
    return misses ? (struct result){marks[REPORT_NOTHING], "misses planted faults"}
                  : (struct result){marks[end], report_ends[end]};
}

/* A row of the table of machines. */
static void add_machine(struct strbuf *out, const struct report_run *run,
                        const struct report_cases *cases)
{
    struct result result = result_of(run);
    struct arena *arena = cases->arena;
    size_t failures = 0;
    for (size_t i = 0; i < cases->faults.count; i++) {
        failures += !cases->faults.items[i].stopped;
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

/* Rows of the table of failures. Inside of <code> the marks of Markdown count, too. */
static void add_faults(struct strbuf *out, const struct report_cases *cases)
{
    for (size_t i = 0; i < cases->faults.count; i++) {
        const struct report_fault *fault = &cases->faults.items[i];
        strbuf_adds(out, "| ");
        add_line(out, cases->machine);
        strbuf_adds(out, ": ");
        add_line(out, fault->message);
        strbuf_adds(out, fault->replay ? " | <code>" : " | ");
        add_line(out, fault->replay ? fault->replay : "");
        strbuf_adds(out, fault->replay ? "</code> |\n" : "|\n");
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

/* The tables come first, so all else waits for the end. */
static void add(struct report *report, const struct report_run *run,
                const struct report_cases *cases, struct strbuf *nothing)
{
    struct strbuf stats = {0};
    struct strbuf *out = &report->below;
    (void)nothing;
    add_machine(&report->kept, run, cases);
    add_faults(&report->faults, cases);
    add_heading(out, run, cases);
    for (size_t i = 0; i < cases->items.count; i++) {
        const struct report_case *item = &cases->items.items[i];
        if (item->outcome == CASE_FAILED || item->outcome == CASE_ERROR ||
            item->outcome == CASE_KNOWN) {
            add_case(report, item, out);
        }
    }
    for (size_t i = 0; i < cases->notes.count; i++) {
        add_item(out, cases->notes.items[i].title, cases->notes.items[i].text);
    }
    strbuf_adds(out, cases->notes.count ? "\n" : "");
    text_stats_block(report, run, &stats);
    if (stats.size) {
        add_details(out, "Statistics", stats.data, false);
    }
    strbuf_free(&stats);
}

static void end(const struct report *report, struct strbuf *out)
{
    const char *comma = "";
    if (report->kept.size) {
        strbuf_addf(out,
                    "| machine | result | failures | examples | steps | time |\n"
                    "| --- | --- | ---: | ---: | ---: | ---: |\n%s\n",
                    report->kept.data);
    }
    if (report->faults.size) {
        strbuf_addf(out, "| failure | replay |\n| --- | --- |\n%s\n", report->faults.data);
    }
    strbuf_add(out, report->below.data ? report->below.data : "", report->below.size);
    for (size_t i = 0; i < CASE_OUTCOMES; i++) {
        if (report->cases[i]) {
            strbuf_addf(out, "%s%zu %s", comma, report->cases[i], case_outcomes[i]);
            comma = ", ";
        }
    }
    strbuf_adds(out, *comma ? "\n" : "");
}

const struct report_format report_markdown = {.name = "markdown", .add_cases = add, .end = end};
